// Bandwidth of arrays allocated one after another: cores reading, cores updating, link in, both at once.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <chrono>
#include <vector>
#include <algorithm>
#include <omp.h>
#include <sys/mman.h>
using C=std::chrono::steady_clock; static double now(){return std::chrono::duration<double>(C::now().time_since_epoch()).count();}
static long huge(void*p){ FILE*f=fopen("/proc/self/smaps","r"); char b[512]; long kb=-1; bool on=false; while(fgets(b,512,f)){ unsigned long s,e; if(sscanf(b,"%lx-%lx ",&s,&e)==2&&strchr(b,'-')) on=(unsigned long)p>=s&&(unsigned long)p<e; long v; if(on&&sscanf(b,"AnonHugePages: %ld",&v)==1) kb=v; } fclose(f); return kb; }
int main(int c,char**v){ int T=atoi(v[1]); int K=atoi(v[2]); int hp=atoi(v[3]); omp_set_num_threads(T); size_t n=100000000; size_t by=n*4;
 void*d; cudaMalloc(&d,by); cudaStream_t s; cudaStreamCreate(&s); std::vector<float*> A;
 for(int k=0;k<K;k++){ size_t len=(by+(4<<20)); char*raw=(char*)mmap(0,len,PROT_READ|PROT_WRITE,MAP_PRIVATE|MAP_ANONYMOUS,-1,0); char*p=(char*)(((size_t)raw+(2<<20)-1)&~((size_t)(2<<20)-1)); if(hp) madvise(p,by,MADV_HUGEPAGE);
  float*a=(float*)p;
  #pragma omp parallel for schedule(static)
  for(size_t i=0;i<n;i++) a[i]=1;
  cudaHostRegister(a,by,cudaHostRegisterPortable); A.push_back(a); }
 for(int round=0;round<2;round++) for(int k=0;k<K;k++){ float*a=A[k]; double rd=0,up=0,li=0,bo_c=0,bo_l=0; std::vector<double> R,U,L,BC,BL;
  for(int r=0;r<5;r++){ double t=now(); double sum=0;
   #pragma omp parallel for schedule(static) reduction(+:sum)
   for(size_t i=0;i<n;i++) sum+=a[i];
   R.push_back(by/(now()-t)/1e9); volatile double q=sum; (void)q; t=now();
   #pragma omp parallel for schedule(static)
   for(size_t i=0;i<n;i++) a[i]=a[i]*1.0001f;
   U.push_back(2*by/(now()-t)/1e9);
   t=now(); cudaMemcpyAsync(d,a,by,cudaMemcpyHostToDevice,s); cudaStreamSynchronize(s); L.push_back(by/(now()-t)/1e9);
   // together: link copies this array, cores read the next
   float*b=A[(k+1)%K]; cudaEvent_t e0,e1; cudaEventCreate(&e0); cudaEventCreate(&e1); t=now(); cudaEventRecord(e0,s); cudaMemcpyAsync(d,a,by,cudaMemcpyHostToDevice,s); cudaEventRecord(e1,s); sum=0;
   #pragma omp parallel for schedule(static) reduction(+:sum)
   for(size_t i=0;i<n;i++) sum+=b[i];
   BC.push_back(by/(now()-t)/1e9); cudaStreamSynchronize(s); float ms; cudaEventElapsedTime(&ms,e0,e1); BL.push_back(by/(ms*1e-3)/1e9); cudaEventDestroy(e0); cudaEventDestroy(e1); }
  auto m=[](std::vector<double> x){ std::sort(x.begin(),x.end()); return x[x.size()/2]; };
  printf("round %d array %d huge %ld MB read %.0f update %.0f link %.1f | together: cores read next %.0f link %.1f\n",round,k,huge(a)/1024,m(R),m(U),m(L),m(BC),m(BL)); fflush(stdout);
 } }
