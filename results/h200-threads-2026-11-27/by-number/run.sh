set -u
export OCL_ICD_VENDORS=/none APPORTION_REQUIRE_CUDA=1; unset APPORTION_HISTORY
R=/tmp/r/$NAME; mkdir -p $R; cd $R; cp /tmp/p/commit.txt .; lscpu > lscpu.txt
P=/tmp/p/new
timeout 100 $P/hx2 > hx2.txt 2>&1; grep 'bind=true' hx2.txt | grep 'rest=5' | cut -d, -f3-6,9; tail -1 hx2.txt
for t in $TS; do python3 - $t <<'X'
import json,sys
m=json.load(open('/tmp/p/eight.json'))
for d in m['devices']:
    if d['kind']=='host': d.setdefault('host',{})['threads']={"value":int(sys.argv[1]),"source":"assumed"}
    d['enabled']=d['kind']=='host'
m['groups']=[]; m['peers']=[]
for d in m['devices']:
    if d['kind']=='host': d['host']['leave_free']=0
json.dump(m,open(f't{sys.argv[1]}.json','w'))
X
done
for i in 1 2; do for s in small medium; do for t in $TS; do
 timeout 60 $P/apportion compare --machine t$t.json --workloads all --policies BLOCK --size $s --reps 15 --history off --memory plain > c-$s-$t-$i.txt 2>&1 || tail -2 c-$s-$t-$i.txt; done; done; done
for s in small medium; do for i in 1 2; do for t in $TS; do echo $s $i $t $(grep ' BLOCK: n' c-$s-$t-$i.txt | sed 's/ BLOCK.* in /=/;s/ //g' | tr '\n' ' '); done; done; done
