"""The languages that people read, and every text that depends on one."""
