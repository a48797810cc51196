"""Which answers to label: drawn with known chances, labelled blind, taken back."""
