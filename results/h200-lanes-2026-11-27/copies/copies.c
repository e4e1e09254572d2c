#define _GNU_SOURCE
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/mman.h>
static double now(void){struct timespec t;clock_gettime(CLOCK_MONOTONIC,&t);return t.tv_sec*1e6+t.tv_nsec*1e-3;}
typedef void (*copy_f)(char*,const char*,size_t);
static void c_memcpy(char*d,const char*s,size_t n){memcpy(d,s,n);}
static void c_movsb(char*d,const char*s,size_t n){__asm__ volatile("rep movsb":"+D"(d),"+S"(s),"+c"(n)::"memory");}
#define LOOP(name,PRE) __attribute__((target("avx2"))) static void name(char*d,const char*s,size_t n){for(size_t i=0;i<n;i+=128){PRE;__m256i a=_mm256_loadu_si256((void*)(s+i)),b=_mm256_loadu_si256((void*)(s+i+32)),c=_mm256_loadu_si256((void*)(s+i+64)),e=_mm256_loadu_si256((void*)(s+i+96));_mm256_storeu_si256((void*)(d+i),a);_mm256_storeu_si256((void*)(d+i+32),b);_mm256_storeu_si256((void*)(d+i+64),c);_mm256_storeu_si256((void*)(d+i+96),e);}}
#define P(h,o) _mm_prefetch(s+i+o,h);_mm_prefetch(s+i+o+64,h)
LOOP(c_avx,)
LOOP(c_p512,P(_MM_HINT_T0,512))
LOOP(c_p1k,P(_MM_HINT_T0,1024))
LOOP(c_p2k,P(_MM_HINT_T0,2048))
LOOP(c_p4k,P(_MM_HINT_T0,4096))
LOOP(c_nta2k,P(_MM_HINT_NTA,2048))
LOOP(c_nta1k,P(_MM_HINT_NTA,1024))
// interleaved pages
#define INTER(name,K,PRE) __attribute__((target("avx2"))) static void name(char*d,const char*s,size_t n){size_t g=(size_t)K*4096;size_t j=0;for(;j+g<=n;j+=g){for(size_t i=0;i<4096;i+=64){for(int k=0;k<K;k++){const char*q=s+j+k*4096+i;char*w=d+j+k*4096+i;PRE;__m256i a=_mm256_loadu_si256((void*)q),b=_mm256_loadu_si256((void*)(q+32));_mm256_storeu_si256((void*)w,a);_mm256_storeu_si256((void*)(w+32),b);}}}if(j<n)memcpy(d+j,s+j,n-j);}
INTER(c_i2,2,)
INTER(c_i4,4,)
INTER(c_i8,8,)



INTER(c_i2p,2,_mm_prefetch(q+2*4096,_MM_HINT_T0))
INTER(c_i4q,4,_mm_prefetch(q+4*4096,_MM_HINT_T0))
__attribute__((target("avx512f"))) static void c_512(char*d,const char*s,size_t n){for(size_t i=0;i<n;i+=256){__m512i a=_mm512_loadu_si512(s+i),b=_mm512_loadu_si512(s+i+64),c=_mm512_loadu_si512(s+i+128),e=_mm512_loadu_si512(s+i+192);_mm512_storeu_si512(d+i,a);_mm512_storeu_si512(d+i+64,b);_mm512_storeu_si512(d+i+128,c);_mm512_storeu_si512(d+i+192,e);}}
__attribute__((target("avx"))) static void c_nt(char*d,const char*s,size_t n){for(size_t i=0;i<n;i+=64){__m256i a=_mm256_loadu_si256((void*)(s+i)),b=_mm256_loadu_si256((void*)(s+i+32));_mm256_stream_si256((void*)(d+i),a);_mm256_stream_si256((void*)(d+i+32),b);}_mm_sfence();}
struct v{const char*n;copy_f f;};
static struct v V[]={{"memcpy",c_memcpy},{"movsb",c_movsb},{"avx",c_avx},{"avx512",c_512},{"p512",c_p512},{"p1k",c_p1k},{"p2k",c_p2k},{"p4k",c_p4k},{"nta1k",c_nta1k},{"nta2k",c_nta2k},{"i2",c_i2},{"i4",c_i4},{"i8",c_i8},{"i2p",c_i2p},{"i4p",c_i4q},{"ntstore",c_nt}};
#define NV (sizeof V/sizeof*V)
#define MAXT 32
static int T;static size_t PIECE,TOTAL;static char*SRC;static char*SLOT[MAXT][2];
static copy_f F;static int DRAIN;
static atomic_int go,done_,phase;static atomic_size_t next_;static int stop_;
static void*th(void*p){int me=(int)(intptr_t)p;int seen=0;for(;;){while(atomic_load(&go)==seen)_mm_pause();seen++;if(stop_)return 0;if(me<T){int turn=0;for(;;){size_t k=atomic_fetch_add(&next_,1);if(k*PIECE>=TOTAL)break;if(DRAIN)F(SRC+k*PIECE,SLOT[me][turn&1],PIECE);else F(SLOT[me][turn&1],SRC+k*PIECE,PIECE);turn++;}}atomic_fetch_add(&done_,1);}}
static int cmp(const void*a,const void*b){double x=*(double*)a,y=*(double*)b;return x<y?-1:x>y;}
int main(int c,char**v){int NT=atoi(v[1]);size_t total=(size_t)atoi(v[2])<<20;int huge=atoi(v[3]);
SRC=mmap(0,total,PROT_READ|PROT_WRITE,MAP_PRIVATE|MAP_ANONYMOUS,-1,0);madvise(SRC,total,huge?MADV_HUGEPAGE:MADV_NOHUGEPAGE);memset(SRC,1,total);
for(int t=0;t<MAXT;t++)for(int k=0;k<2;k++){SLOT[t][k]=mmap(0,4<<20,PROT_READ|PROT_WRITE,MAP_PRIVATE|MAP_ANONYMOUS,-1,0);memset(SLOT[t][k],2,4<<20);}
pthread_t th_[MAXT];for(int t=0;t<NT;t++)pthread_create(&th_[t],0,th,(void*)(intptr_t)t);
int ts[]={8,16,NT};
for(int d=0;d<2;d++)for(size_t pk=0;pk<2;pk++)for(int ti=0;ti<3;ti++){T=ts[ti];PIECE=pk?(2<<20):(1<<20);TOTAL=total/PIECE*PIECE;DRAIN=d;
 static double best[NV][15];
 for(int r=0;r<15;r++)for(size_t i=0;i<NV;i++){size_t x=(i+r*5)%NV;F=V[x].f;atomic_store(&next_,0);atomic_store(&done_,0);double s=now();atomic_fetch_add(&go,1);while(atomic_load(&done_)<NT)_mm_pause();best[x][r]=now()-s;}
 printf("%s piece %zu MiB threads %2d MB %zu huge %d:",d?"drain":"fill ",PIECE>>20,T,total>>20,huge);
 for(size_t i=0;i<NV;i++){qsort(best[i],15,sizeof(double),cmp);printf(" %s %.1f",V[i].n,TOTAL/best[i][7]*1e-3);}
 printf(" GB/s\n");fflush(stdout);}
stop_=1;atomic_fetch_add(&go,1);return 0;}
