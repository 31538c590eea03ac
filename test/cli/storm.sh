# SPDX-License-Identifier: MIT
# storm FILE LEVEL: a storm season over real sand, which lies above LEVEL. The books close, every map
# is written, and less than twice of what is raised is lowered.
storm()
{
    "$WADI" erode wind "$1" --layer "sediment=above:$2" --set direction=240 --set speed=12 --for 0.25yr \
        -o after.tif --maps maps --report report.json --progress none >said
    grep -Eq '^  residual +0 m3$' said
    grep -q '"residual_units": 0' report.json
    [ "$(grep -c '"residual_units"' report.json)" = "$(grep -c '"residual_units": 0' report.json)" ]
    for map in track flux_x flux_y momentum airborne transit wear deposit
    do
        [ -s "maps/$map.tif" ]
    done
    "$WADI" diff "$1" after.tif >change && { echo "nothing moved"; exit 1; }
    awk '$1 == "raised" { raised = $2 } $1 == "lowered" { lowered = $2 }
        END { exit !(raised > 1e4 && lowered > raised && lowered < 2 * raised) }' change ||
        { cat change; exit 1; }
}
