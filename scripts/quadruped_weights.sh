#!/bin/sh
# Trains networks that steer a horse, on drives over generated motion:
#
#     scripts/quadruped_weights.sh [FOLDER] [CREATURE] [TASK ...]
#
# What is there already is not made again. Some ten minutes of one core a task.
set -eu
folder=${1:-quadruped}
creature=${2:-horse}
if [ $# -gt 2 ]; then shift 2; else set -- perceptron mann; fi
python=.venv/bin/python
kinema="$python -m kinema.cli.main"
mkdir -p "$folder"
[ -d "$folder/takes.db" ] || $python - "$creature" "$folder/takes.db" <<'END'
import sys

from kinema.control.subject import generated
from kinema.mocap.creatures import make_creature

creature, output = sys.argv[1:]
generated(make_creature(creature), minutes=15.0).save(output)
END
[ -d "$folder/driven.db" ] || $kinema augment "$folder/takes.db" -o "$folder/driven.db" --minutes 240 --seed 7
for task in "$@"; do
    [ -f "$folder/$task/loss.png" ] || $kinema train "$task" --data "$folder/driven.db" -o "$folder/$task" \
        --steps 4000 --batch 128 --set chain=3 --ema 0.99 --validate-every 1000 --licence "Apache-2.0 OR MIT"
    $kinema evaluate motion-matching "$folder/$task" --data "$folder/takes.db" --tracks harsh reversals slow --seconds 20
done
