// One submitter or many? Plain arrays staged through page-locked memory.
#include <cuda_runtime.h>
#include <atomic>
#include <thread>
#include <vector>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <cstdlib>
#include <algorithm>
#include <immintrin.h>
using namespace std; using clk=chrono::steady_clock;
#define CK(x) do{cudaError_t e=(x); if(e!=cudaSuccess){printf("%s:%d %s\n",__FILE__,__LINE__,cudaGetErrorString(e));exit(1);} }while(0)
__global__ void k(const char* in, char* out, size_t n){ size_t i=(blockIdx.x*(size_t)blockDim.x+threadIdx.x)*16; for(; i+16<=n; i+=(size_t)gridDim.x*blockDim.x*16) *(uint4*)(out+i)=*(const uint4*)(in+i); }
static void copynt(char* d,const char* s,size_t n){ size_t i=0; while(i<n && ((uintptr_t)(d+i)&31)) {d[i]=s[i];i++;} for(;i+32<=n;i+=32) _mm256_stream_si256((__m256i*)(d+i),_mm256_loadu_si256((const __m256i*)(s+i))); for(;i<n;i++)d[i]=s[i]; _mm_sfence(); }
struct Slot{char*h;char*hout;char*d;char*dout;cudaEvent_t e;};
int G; size_t IN,OUT; int REPS;
struct Gpu{ vector<Slot> slots; vector<cudaStream_t> streams; char*in;char*out; };
static Gpu gpus[4];
struct Result{double us; double calls;};
// mode A: T threads each own stream 2 slots, hcopies H2D per piece
double modeA(int g,int T,size_t P,int hc,atomic<int>&go,int epoch,atomic<size_t>&next,int lane,double&callus){
  CK(cudaSetDevice(g)); Gpu&u=gpus[g]; size_t n=(IN+P-1)/P; size_t PO=OUT*P/IN; long pend[2]={-1,-1}; int t=0; 
  auto fin=[&](int s){ if(pend[s]<0)return; Slot&S=u.slots[lane*2+s]; CK(cudaEventSynchronize(S.e)); size_t i=pend[s]; size_t lo=i*PO, len=min(PO,OUT-min(OUT,lo)); if(len) copynt(u.out+lo,S.hout,len); pend[s]=-1; };
  while(true){ size_t i=next.fetch_add(1); fin(t&1); if(i>=n)break; Slot&S=u.slots[lane*2+(t&1)]; size_t lo=i*P,len=min(P,IN-lo); memcpy(S.h,u.in+lo,len); auto a=clk::now(); cudaStream_t st=u.streams[lane];
    for(int q=0;q<hc;q++) CK(cudaMemcpyAsync(S.d+len/hc*q,S.h+len/hc*q,len/hc,cudaMemcpyHostToDevice,st)); k<<<64,256,0,st>>>(S.d,S.dout,PO); size_t l2=i*PO; size_t ol=min(PO,OUT-min(OUT,l2)); if(ol) CK(cudaMemcpyAsync(S.hout,S.dout,ol,cudaMemcpyDeviceToHost,st)); CK(cudaEventRecord(S.e,st)); callus+=chrono::duration<double>(clk::now()-a).count()*1e6; pend[t&1]=i; t++; }
  fin(t&1); fin((t+1)&1); return 0; }
// mode B
struct Job{ alignas(64) atomic<int> state; size_t piece; }; // 0 free 1 fill 2 filled 3 gpu 4 drain 5 done
struct Queue{ alignas(64) atomic<int> head; alignas(64) atomic<int> tail; int items[4096]; };
int main(int argc,char**argv){ G=atoi(argv[1]); IN=atof(argv[2]); OUT=atof(argv[3]); REPS=atoi(argv[4]); IN/=G; OUT/=G; IN=IN/4096*4096; OUT=OUT/4096*4096; size_t MAXP=8<<20; const int MAXT=16;
  for(int g=0;g<G;g++){ CK(cudaSetDevice(g)); cudaSetDeviceFlags(0); Gpu&u=gpus[g]; u.in=(char*)aligned_alloc(4096,IN); u.out=(char*)aligned_alloc(4096,OUT+4096); memset(u.in,1,IN); memset(u.out,1,OUT+4096);
    for(int i=0;i<48;i++){ Slot s; CK(cudaHostAlloc(&s.h,MAXP,0)); CK(cudaHostAlloc(&s.hout,MAXP,0)); memset(s.h,1,MAXP); CK(cudaMalloc(&s.d,MAXP)); CK(cudaMalloc(&s.dout,MAXP)); CK(cudaEventCreateWithFlags(&s.e,cudaEventDisableTiming)); u.slots.push_back(s);} for(int i=0;i<MAXT;i++){cudaStream_t st; CK(cudaStreamCreateWithFlags(&st,cudaStreamNonBlocking)); u.streams.push_back(st);} }
  int TT[]={4,6,8,12,15}; size_t PP[]={512u<<10,1u<<20,2u<<20,4u<<20};
  vector<char> flush(256<<20);
  for(int T: TT) for(size_t P: PP) { size_t n=(IN+P-1)/P; if(n<4) continue;
   for(int mode=0;mode<5;mode++){ // 0: A hc=1, 1: A hc=2, 2: B 3 streams , 3: B 4 single streams, 4: fill only + one big copy lower bound
    if(mode==4) continue;
    vector<double> ts; double callus=0; 
    for(int r=0;r<REPS+2;r++){
      for(size_t i=0;i<flush.size();i+=64) flush[i]++;
      atomic<int> go{0}, ready{0}; vector<thread> th; vector<atomic<size_t>> next(G); for(auto&x:next)x=0; vector<double> cu(G*16,0.0);
      size_t PO=OUT*P/IN; int depth=min(48,2*T+ T);
      vector<vector<Job>> jobs; vector<Queue*> qs; 
      if(mode>=2) for(int g=0;g<G;g++){ jobs.emplace_back(48); for(auto&j:jobs.back()) j.state=0; qs.push_back(new Queue()); qs.back()->head=0; qs.back()->tail=0; }
      vector<atomic<int>> stop(G); for(auto&x:stop)x=0;
      for(int g=0;g<G;g++){
        if(mode<2) for(int l=0;l<T;l++) th.emplace_back([&,g,l]{ CK(cudaSetDevice(g)); ready++; while(!go.load(memory_order_acquire))_mm_pause(); modeA(g,T,P,mode+1,go,r,next[g],l,cu[g*16+l]); });
        else { for(int l=0;l<T;l++) th.emplace_back([&,g,l]{ Queue&q=*qs[g]; auto&J=jobs[g]; Gpu&u=gpus[g]; ready++; while(!go.load(memory_order_acquire))_mm_pause();
              while(true){ int h=q.head.load(memory_order_relaxed); if(h<q.tail.load(memory_order_acquire)){ if(!q.head.compare_exchange_weak(h,h+1)) continue; int s=q.items[h]; Job&j=J[s]; if(j.state.load(memory_order_acquire)==1){ size_t lo=j.piece*P,len=min(P,IN-lo); memcpy(u.slots[s].h,u.in+lo,len); j.state.store(2,memory_order_release);} else { size_t lo=j.piece*PO,len=min(PO,OUT-min(OUT,lo)); if(len) copynt(u.out+lo,u.slots[s].hout,len); j.state.store(5,memory_order_release);} }
                else { if(stop[g].load(memory_order_relaxed)) break; _mm_pause(); } } });
          th.emplace_back([&,g]{ CK(cudaSetDevice(g)); Queue&q=*qs[g]; auto&J=jobs[g]; Gpu&u=gpus[g]; ready++; while(!go.load(memory_order_acquire))_mm_pause();
              size_t sent=0,done=0; int turn=0; vector<int> fl; size_t fh=0; auto push=[&](int s){ int t=q.tail.load(memory_order_relaxed); q.items[t]=s; q.tail.store(t+1,memory_order_release); };
              cudaEvent_t ev[48][2]; (void)ev;
              while(done<n){ for(int s=0;s<depth;s++){ int st=J[s].state.load(memory_order_acquire);
                  if(st==0||st==5){ if(st==5){done++; J[s].state.store(0,memory_order_relaxed);} if(sent<n){ J[s].piece=sent++; J[s].state.store(1,memory_order_release); push(s);} }
                  else if(st==2){ auto a=clk::now(); Slot&S=u.slots[s]; size_t i=J[s].piece; size_t lo=i*P,len=min(P,IN-lo); cudaStream_t s0=u.streams[turn%4]; turn++; CK(cudaMemcpyAsync(S.d,S.h,len,cudaMemcpyHostToDevice,s0)); k<<<64,256,0,s0>>>(S.d,S.dout,PO); size_t l2=i*PO; size_t ol=min(PO,OUT-min(OUT,l2)); if(ol) CK(cudaMemcpyAsync(S.hout,S.dout,ol,cudaMemcpyDeviceToHost,s0)); CK(cudaEventRecord(S.e,s0)); J[s].state.store(3,memory_order_relaxed); fl.push_back(s); cu[g*16]+=chrono::duration<double>(clk::now()-a).count()*1e6; } }
                if(mode==2){ while(fh<fl.size()){ int s=fl[fh]; cudaError_t e=cudaEventQuery(u.slots[s].e); if(e==cudaErrorNotReady) break; CK(e); J[s].state.store(4,memory_order_release); push(s); fh++; } }
                else { size_t m=fh; for(size_t x=fh;x<min(fl.size(),fh+4);x++){ int s=fl[x]; if(s<0) {if(x==m)m++;continue;} cudaError_t e=cudaEventQuery(u.slots[s].e); if(e==cudaErrorNotReady) continue; CK(e); J[s].state.store(4,memory_order_release); push(s); fl[x]=-1; if(x==m)m++; } fh=m; } }
              stop[g]=1; }); } }
      int want= mode<2? G*T : G*(T+1); while(ready.load()<want) _mm_pause(); this_thread::sleep_for(chrono::microseconds(200)); auto a=clk::now(); go.store(1,memory_order_release); for(auto&t:th)t.join(); double us=chrono::duration<double>(clk::now()-a).count()*1e6; if(r>=2){ ts.push_back(us); double s=0; for(double c:cu)s+=c; callus+=s/(n*G)/REPS; } for(auto q:qs) delete q; }
    sort(ts.begin(),ts.end()); printf("G %d T %2d P %4zuK mode %d: median %7.0f us min %7.0f, calls %5.1f us per piece\n",G,T,P>>10,mode,ts[ts.size()/2],ts[0],callus); fflush(stdout); }
  } }
