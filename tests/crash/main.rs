//! Kills and failing disks.
