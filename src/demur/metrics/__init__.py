"""The classic measures of understanding: words, concepts, slots, dialogues."""
