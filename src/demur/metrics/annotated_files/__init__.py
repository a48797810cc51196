"""Files of annotations as annotation tools and taggers write them, read and joined."""
