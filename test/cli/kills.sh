# SPDX-License-Identifier: MIT
# Kill runs with SIGKILL at random times and go on from the last checkpoint each time: the final hash
# is that of a run that nobody killed. The first argument is the number of kills.
kills=$1
cat >scene.yaml <<'SCENE'
wadi: 1
seed: 5
terrain: {size: 160, cell: 10 m, noise: {relief: 400 m}}
layers:
  sediment: {constant: 1 m}
timeline:
  tick: 1 yr
  end: 60 yr
  run:
    - talus: {}
  events:
    - {at: 20 yr, add_sand: 1 m}
output:
  - {checkpoint: state.nc, every: 3 yr}
  - {write: height.tif}
SCENE
state_of()
{
    sed -n 's/^state  *//p' "$1"
}
"$WADI" run scene.yaml -o whole --threads 1 >whole.txt
expected=$(state_of whole.txt)
[ -n "$expected" ]
echo "$expected" >expected.txt

# a list of times [s], the same in every run of the test; with --foreground, timeout waits for the end of what it kills
awk -v n="$kills" 'BEGIN { srand(12); for (i = 0; i < n; ++i) printf "%.3f\n", 0.01 + 0.25 * rand() }' >times
done=0
killed=0
finished=0
while read -r time; do
    code=0
    if [ -e cut/state.nc ]; then
        timeout --foreground -s KILL "$time" "$WADI" resume cut/state.nc --threads 1 >cut.txt 2>cut.err || code=$?
    else
        timeout --foreground -s KILL "$time" "$WADI" run scene.yaml -o cut --threads 1 >cut.txt 2>cut.err || code=$?
    fi
    case $code in
    137) killed=$((killed + 1)) ;;
    0 | 124) # 124: it ended when its time was up
        finished=$((finished + 1))
        [ "$(state_of cut.txt)" = "$expected" ] || { echo "another hash after $killed kills"; exit 1; }
        cmp whole/height.tif cut/height.tif
        rm -rf cut
        ;;
    *)
        echo "status $code after $killed kills:"
        cat cut.err
        exit 1
        ;;
    esac
done <times
if [ -e cut/state.nc ]; then
    "$WADI" resume cut/state.nc --threads 1 >cut.txt
else
    "$WADI" run scene.yaml -o cut --threads 1 >cut.txt
fi
[ "$(state_of cut.txt)" = "$expected" ]
cmp whole/height.tif cut/height.tif
if [ -n "$(find cut -name '.wadi-*')" ]; then
    echo "dead runs have left: $(ls -A cut)"
    exit 1
fi
[ "$killed" -gt $((kills / 4)) ] || { echo "only $killed of $kills runs were killed"; exit 1; }
echo "$killed runs killed, $finished finished before"
