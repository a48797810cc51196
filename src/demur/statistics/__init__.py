"""How sure a number is: resampling, influence, intervals, bands, paired tests."""
