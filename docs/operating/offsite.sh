#!/bin/sh
# Copies a backup to another machine with restic: docs/backups.md. Set RESTIC_REPOSITORY and RESTIC_PASSWORD_FILE.
# The copy is unpacked, so that restic stores what has changed since the last one, and no more.
set -eu
phalera="${PHALERA:-phalera}"
folder="${PHALERA_OFFSITE:-/var/lib/phalera/offsite}"

umask 077
rm -rf "$folder"
"$phalera" backup "$folder"
restic cat config >/dev/null 2>&1 || restic init
restic backup --quiet --host phalera "$folder"
restic forget --quiet --host phalera --prune --keep-hourly 24 --keep-daily 7 --keep-weekly 4 --keep-monthly 12
rm -rf "$folder"
