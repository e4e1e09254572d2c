// How long sleeping threads take to wake, by who wakes whom. Usage: wake GROUPS OF ROUNDS REST_US
// Thread 0..GROUPS*OF sleep, each on a word of its own or all of a group on one; the caller wakes them after a rest.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>
using Clock = std::chrono::steady_clock;
static int wake(std::atomic<int> *word, int most) { return syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, most, nullptr, nullptr, 0); }
static void sleep_on(std::atomic<int> *word, int old) {
    while (word->load() == old) syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, old, nullptr, nullptr, 0);
}
struct alignas(128) Word { std::atomic<int> v{0}; };
int main(int argc, char **argv) {
    int groups = atoi(argv[1]), of = atoi(argv[2]), rounds = atoi(argv[3]), rest = atoi(argv[4]), n = groups * of;
    const char *names[] = {"serial", "one word", "tree 2", "tree 4", "tree 8", "leaders serial, then tree 2", "leaders serial, then tree 4", "leaders serial, then one word each", "leaders by tree 2, then one word each"};
    for (int how = 0; how < 9; how++) {
        std::vector<Word> own(n), shared(groups + 1);
        std::vector<std::vector<double>> woke(n, std::vector<double>(rounds));
        std::vector<double> caller(rounds);
        std::atomic<int> arrived{0};
        Clock::time_point start;
        auto raise = [&](int who, int round) { own[who].v.store(round + 1); wake(&own[who].v, 1); };
        auto tree = [&](int base, int place, int count, int arity, int round) {
            for (int k = 1; k <= arity; k++) if (arity * place + k < count) raise(base + arity * place + k, round);
        };
        auto run = [&](int who) {
            int g = who / of, in = who % of;
            for (int round = 0; round < rounds; round++) {
                bool group_word = (how == 7 || how == 8) && in;
                if (how == 1) sleep_on(&shared[groups].v, round);
                else if (group_word) sleep_on(&shared[g].v, round);
                else sleep_on(&own[who].v, round);
                woke[who][round] = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
                if (how == 2) tree(0, who, n, 2, round);
                if (how == 3) tree(0, who, n, 4, round);
                if (how == 4) tree(0, who, n, 8, round);
                if (how == 5) tree(g * of, in, of, 2, round);
                if (how == 6) tree(g * of, in, of, 4, round);
                if (how == 7 && !in) { shared[g].v.store(round + 1); wake(&shared[g].v, 1 << 30); }
                if (how == 8 && !in) {
                    for (int k = 1; k <= 2; k++) if (2 * g + k < groups) raise((2 * g + k) * of, round);
                    shared[g].v.store(round + 1); wake(&shared[g].v, 1 << 30);
                }
                // As work would: awake for a while.
                auto until = Clock::now() + std::chrono::microseconds(300);
                while (Clock::now() < until) ;
                arrived++;
            }
        };
        std::vector<std::thread> threads;
        for (int who = 0; who < n; who++) threads.emplace_back(run, who);
        for (int round = 0; round < rounds; round++) {
            usleep(rest);
            start = Clock::now();
            if (how == 0) for (int who = 0; who < n; who++) raise(who, round);
            if (how == 1) { shared[groups].v.store(round + 1); wake(&shared[groups].v, 1 << 30); }
            if (how >= 2 && how <= 4) raise(0, round);
            if (how >= 5 && how <= 7) for (int g = 0; g < groups; g++) raise(g * of, round);
            if (how == 8) raise(0, round);
            caller[round] = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
            while (arrived < n * (round + 1)) usleep(50);
        }
        for (auto &t : threads) t.join();
        std::vector<double> first, middle, last;
        for (int round = 0; round < rounds; round++) {
            std::vector<double> all;
            for (auto &w : woke) all.push_back(w[round]);
            std::sort(all.begin(), all.end());
            first.push_back(all[0]); middle.push_back(all[n / 2]); last.push_back(all[n - 1]);
        }
        auto median = [](std::vector<double> v) { std::sort(v.begin(), v.end()); return v[v.size() / 2]; };
        printf("%d x %d, %s: caller busy %.0f us; first awake %.0f, half %.0f, all %.0f us\n", groups, of, names[how], median(caller), median(first), median(middle), median(last));
    }
}
