"""Files of habits: exports of other apps and of Almanac itself, read and written, and the weekly report as PDF."""
