// The emulator's scheduler. Never instrumented itself: the hooks would watch the watcher.
//
// Invariants. One launch at a time, on the OS thread that asked for it. A lane is in its block's `ready` list or one of
// those whose turn is next, or waits in a barrier or a wave operation, or is done. Block barriers order all of a block,
// sync_wave the lanes of its mask, a release and the acquire that reads it two blocks; shuffles and ballots order
// nothing, as on the hardware. A launch that does something wrong is abandoned: its fibers own nothing that would need
// unwinding.
#include "lib/device/emulated/device.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include <dlfcn.h>

#include "lib/device/emulated/fiber.hpp"
#include "lib/device/emulated/options.hpp"
#include "lib/device/emulated/shadow.hpp"
#include "lib/device/emulated/shuffling.hpp"

namespace rowan::device::inline ROWAN_BACKEND::emulator {
namespace {

constexpr std::size_t kRedZone = 64;  // between variables of shared memory
constexpr int kMostLanes = 64;
constexpr std::size_t kMostBytes = 16;  // that a lane brings to a wave operation

enum class Wait : std::uint8_t { nothing, barrier, wave, done };

struct EmulatorBlock;

struct Lane {
  Fiber fiber;
  EmulatorBlock* block = nullptr;
  unsigned index = 0;
  Wait wait = Wait::nothing;
  // what it brings to a wave operation
  Collective kind{};
  Mask mask = 0;
  int source = 0;
  Here where{};
  alignas(16) unsigned char in[kMostBytes] = {}, out[kMostBytes];
  std::uint32_t seen[kMostLanes] = {};  // vector clock over the wave's lanes
};

struct SharedPiece {
  std::size_t offset, bytes;
};

struct EmulatorBlock {
  unsigned index = 0, done = 0, at_barrier = 0;
  std::uint32_t epoch = 1;
  std::vector<Lane> lanes;
  std::vector<Mask> in_operation;  // of each wave, the lanes that wait in wave operations
  std::vector<Lane*> ready;
  std::unique_ptr<char[]> arena;
  std::size_t capacity = 0, used = kRedZone, asked = 0;
  Shadow shadow;
  std::map<const void*, SharedPiece> pieces;
  std::map<std::uint32_t, std::uint32_t> acquired;  // another block -> its last release that this one knows of
};

struct Release {
  std::uint32_t block;
  std::uint32_t number;  // of the launch's, from 1 on
};

struct EmulatorLaunch {
  std::uint32_t number;
  unsigned wave_bits;  // log2 of the lanes of a wave
  unsigned grid, block;
  std::size_t dynamic_shared;
  void (*body)(const void*);
  const char *call, *call_end;
  std::map<const void*, Release> released{};
  std::uint32_t releases = 0;
  std::string fault{};
  std::uint64_t idle = 0;  // looks at flags since something happened
};

/// The environment may ask for waves of 64 and for up to 16 devices: programs know no other way to say so.
EmulatorOptions first_options() {
  constexpr int kMostDevices = 16;
  const char* const wave = std::getenv("ROWAN_EMULATED_WAVE");        // NOLINT(concurrency-mt-unsafe): only read
  const char* const devices = std::getenv("ROWAN_EMULATED_DEVICES");  // NOLINT(concurrency-mt-unsafe): only read
  EmulatorOptions options;
  if (wave != nullptr && std::strcmp(wave, "64") == 0) options.wave = kMostLanes;
  if (devices != nullptr) options.devices = std::clamp(std::atoi(devices), 1, kMostDevices);  // NOLINT(cert-err34-c)
  return options;
}

struct Device {
  std::recursive_mutex lock;
  EmulatorOptions options = first_options();
  Counters counters;
  Heap heap;
  std::set<std::pair<int, int>> opened;  // one device's memory to another
  std::unique_ptr<Stacks> stacks;
  Shuffling random{0};
  std::uint32_t launches = 0;
};
Device& device() {
  static Device the;  // all devices of the process: emulated hardware, not a library's state
  return the;
}

bool instrumented = false;  // without hooks no writes are seen, so nothing is checked
thread_local EmulatorLaunch* launch = nullptr;
thread_local Lane* current = nullptr;
thread_local int chosen = 0;         // the device of what is asked for
thread_local bool watching = false;  // kernel code runs, not the emulator's own

/// The linker may give the emulator an instrumented copy of an inline library function: its hooks must stay silent.
class Quiet {
 public:
  Quiet() : before_(watching) { watching = false; }
  ~Quiet() { watching = before_; }
  Quiet(const Quiet&) = delete;

 private:
  bool before_;
};

unsigned wave_lanes() {
  return 1U << launch->wave_bits;
}
unsigned lane_of(const Lane& l) {
  return l.index & (wave_lanes() - 1);
}

class SeenBy final : public Order {
 public:
  explicit SeenBy(const Lane& lane)
      : Order({.releases = launch->releases,
               .block = lane.block->index,
               .epoch = lane.block->epoch,
               .clock = lane.seen[lane_of(lane)],
               .thread = static_cast<std::uint16_t>(lane.index)}),
        lane_(lane) {}

 private:
  [[nodiscard]] bool seen(const Touch& past) const override {
    const EmulatorBlock& mine = *lane_.block;
    if (past.block != mine.index) {
      const auto known = mine.acquired.find(past.block);
      return known != mine.acquired.end() && known->second > past.releases;
    }
    const unsigned bits = launch->wave_bits;
    return unsigned{past.thread} >> bits == lane_.index >> bits &&
           lane_.seen[past.thread & (wave_lanes() - 1)] >= past.clock;
  }

  const Lane& lane_;
};

void wake(Lane& lane) {
  lane.wait = Wait::nothing;
  lane.block->ready.push_back(&lane);
}

/// Ends the launch; a debugger breaks here.
[[gnu::noinline]] void abandon(const std::string& what) {
  if (launch->fault.empty()) launch->fault = what;
}

std::string text(Here here) {
  const std::string file = here.file;
  return file.substr(file.rfind('/') + 1) + ":" + std::to_string(here.line);
}

/// The source line of an instruction, as far as the tools at hand can tell.
std::string text(const void* code) {
  Dl_info info{};
  if (dladdr(code, &info) == 0) return "?";
  char command[600], line[300] = "?";
  const auto offset = static_cast<const char*>(code) - static_cast<const char*>(info.dli_fbase) - 1;
  std::snprintf(command, sizeof command, "addr2line -s -e '%s' %#zx", info.dli_fname, static_cast<std::size_t>(offset));
  if (FILE* pipe = popen(command, "r")) {
    if (std::fgets(line, sizeof line, pipe) != nullptr) line[std::strcspn(line, " \n")] = 0;
    pclose(pipe);
  }
  return line;
}

/// Reports and never comes back: the fiber is not entered again.
void report(const std::string& what, const std::string& where) {
  abandon(what + ": block " + std::to_string(current->block->index) + ", thread " + std::to_string(current->index) +
          ", " + where);
  current->wait = Wait::done;
  current->fiber.leave(true);
}

void give_way() {
  wake(*current);
  current->fiber.leave(false);
}

/// `operation`: an atomic one, not only ordered like one.
template <class Place>
void note(const void* address, std::size_t bytes, Access access, Place place, bool operation = false) {
  if (!instrumented) return;
  Lane& me = *current;
  if (me.fiber.holds(address)) return;
  Device& d = device();
  d.counters.accesses++;
  const SeenBy order(me);
  const auto* at = static_cast<const char*>(address);
  EmulatorBlock& b = *me.block;
  const char* memory = "global memory: ";
  Trouble fault;
  std::size_t offset = 0;
  if (at >= b.arena.get() && at + bytes <= b.arena.get() + b.capacity) {
    d.counters.shared_accesses++, d.counters.shared_atomics += operation;
    memory = "shared memory: ";
    fault = b.shadow.note(static_cast<std::size_t>(at - b.arena.get()), bytes, access, launch->number,
                          launch->wave_bits, order);
  } else if (at >= launch->call && at + bytes <= launch->call_end) {
    return;  // the kernel's arguments
  } else if (Heap::Allocation* a = d.heap.find(address, bytes, offset)) {
    d.counters.global_bytes += bytes, d.counters.global_atomics += operation;
    if (a->owner != kHostMemory && a->owner != chosen && !d.opened.contains({a->owner, chosen}))
      fault.what = "another device's";
    else
      fault = a->shadow.note(offset, bytes, access, launch->number, launch->wave_bits, order);
  } else {
    fault.what = "out of bounds, or memory of the host";
  }
  if (fault) report(memory + fault.text(), text(place));
  if (d.options.preempt > 0 && d.random.real() < d.options.preempt) give_way();
}

void thread_main() {
  watching = true;
  launch->body(launch->call);
  watching = false;
  current->wait = Wait::done;
  current->fiber.leave(true);
}

std::unique_ptr<EmulatorBlock> start_block(unsigned index) {
  Device& d = device();
  auto b = std::make_unique<EmulatorBlock>();
  b->index = index;
  // room for every variable and the red zones around it
  b->capacity = d.options.shared_limit + 64 * 2 * kRedZone;
  b->arena.reset(new char[b->capacity]);
  poison(b->arena.get(), b->capacity);
  b->lanes.resize(launch->block);
  b->in_operation.resize(launch->block / wave_lanes() + 1);
  for (unsigned i = 0; i < launch->block; i++) {
    Lane& l = b->lanes[i];
    l.fiber.start(d.stacks->take(), d.stacks->bytes(), thread_main);
    l.block = b.get(), l.index = i;
    l.seen[i % wave_lanes()] = 1;
    wake(l);
  }
  return b;
}

void end_block(EmulatorBlock& b) {
  for (Lane& l : b.lanes) device().stacks->give_back(l.fiber.stack());
  unpoison(b.arena.get(), b.capacity);
}

/// Nobody in the block can go on and some have not finished: who waits for whom.
std::string deadlock(const EmulatorBlock& b) {
  std::map<std::string, unsigned> places;
  bool barrier = false;
  for (const Lane& l : b.lanes) {
    barrier |= l.wait == Wait::barrier;
    places[l.wait == Wait::done      ? "have exited"
           : l.wait == Wait::barrier ? "wait in __syncthreads at " + text(l.where)
                                     : "wait in a wave operation at " + text(l.where)]++;
  }
  std::string what = barrier ? "barrier not reached by all" : "wave operation in divergent flow";
  what += ": block " + std::to_string(b.index);
  for (const auto& [place, n] : places) what += ", " + std::to_string(n) + " threads " + place;
  return what;
}

/// The lanes whose turn is next, chosen a few turns before: so they come from memory while others run. To wait for a
/// lane's stack was a quarter of the emulator's time.
class Turns {
 public:
  [[nodiscard]] bool full() const noexcept { return n_ == kAhead; }
  [[nodiscard]] bool has_of(const EmulatorBlock& b) const noexcept {
    return std::any_of(lanes_, lanes_ + n_, [&](const Lane* l) { return l->block == &b; });
  }
  void add(Lane* lane) {
    __builtin_prefetch(lane), __builtin_prefetch(&lane->in);
    if (n_ > 0) lanes_[n_ - 1]->fiber.prefetch();  // the lane itself is here by now
    lanes_[n_++] = lane;
  }
  [[nodiscard]] Lane* take() {
    Lane* const first = lanes_[0];
    std::copy(lanes_ + 1, lanes_ + n_, lanes_);
    n_--;
    return first;
  }

 private:
  static constexpr unsigned kAhead = 3;
  Lane* lanes_[kAhead];
  unsigned n_ = 0;
};

void schedule(const std::vector<unsigned>& order) {
  Device& d = device();
  std::vector<std::unique_ptr<EmulatorBlock>> blocks;
  std::size_t next = 0;
  Turns turns;
  while (launch->fault.empty()) {
    while (blocks.size() < static_cast<std::size_t>(d.options.resident) && next < order.size())
      blocks.push_back(start_block(order[next++]));
    if (blocks.empty()) break;
    const std::size_t which = d.random.below(blocks.size());
    EmulatorBlock& b = *blocks[which];
    if (!b.ready.empty()) {
      std::swap(b.ready[d.random.below(b.ready.size())], b.ready.back());
      turns.add(b.ready.back());
      b.ready.pop_back();
      if (!turns.full()) continue;
    } else if (!turns.has_of(b)) {
      if (b.done < b.lanes.size()) {
        abandon(deadlock(b));
        break;
      }
      end_block(b);
      std::swap(blocks[which], blocks.back());
      blocks.pop_back();
      launch->idle = 0;
      continue;
    }
    current = turns.take();
    d.counters.switches++;
    current->fiber.enter();
    current->block->done += current->wait == Wait::done;
    current = nullptr;
    if (launch->idle > d.options.spin_limit) abandon("livelock: threads spin and nothing else happens");
  }
  for (auto& b : blocks) end_block(*b);
}

/// memcpy, without a call for the sizes that most have.
void copy_few(void* to, const void* from, std::size_t bytes) {
  if (bytes == 8)
    std::memcpy(to, from, 8);
  else if (bytes == 4)
    std::memcpy(to, from, 4);
  else if (bytes != 0)
    std::memcpy(to, from, bytes);
}

/// The last of a wave operation's lanes to arrive does the work for all.
void complete(Lane* wave, unsigned width, Mask mask, Collective kind) {
  Mask votes = 0;
  std::uint32_t seen[kMostLanes] = {};
  for (unsigned i = 0; i < width; i++) {
    if ((mask >> i & 1) == 0) continue;
    votes |= static_cast<Mask>(wave[i].in[0] & 1) << i;
  }
  if (kind == Collective::sync)
    for (unsigned k = 0; k < width; k++) {
      seen[k] = (mask >> k & 1) != 0 ? wave[k].seen[k] : 0;  // nobody has seen more of a lane than itself
      for (unsigned i = 0; i < width && (mask >> k & 1) == 0; i++)
        if ((mask >> i & 1) != 0) seen[k] = std::max(seen[k], wave[i].seen[k]);
    }
  for (unsigned i = 0; i < width; i++) {
    if ((mask >> i & 1) == 0) continue;
    if (kind == Collective::shuffle) std::memcpy(wave[i].out, wave[wave[i].source].in, kMostBytes);
    if (kind == Collective::ballot) std::memcpy(wave[i].out, &votes, sizeof votes);
    if (kind == Collective::match) {
      Mask same = 0;
      for (unsigned k = 0; k < width; k++)
        if ((mask >> k & 1) != 0 && std::memcmp(wave[k].in, wave[i].in, sizeof(Mask)) == 0) same |= Mask{1} << k;
      std::memcpy(wave[i].out, &same, sizeof same);
    }
    if (kind == Collective::sync) {
      std::copy_n(seen, width, wave[i].seen);
      wave[i].seen[i]++;
    }
    wake(wave[i]);
  }
}

}  // namespace

std::size_t memory_of(const EmulatorOptions& options, int ordinal) {
  const auto k = static_cast<std::size_t>(ordinal);
  return ordinal >= 0 && k < options.memory_of.size() ? options.memory_of[k] : options.memory;
}

EmulatorOptions options() {
  const std::lock_guard lock(device().lock);
  return device().options;
}
void set(const EmulatorOptions& options) {
  const std::lock_guard lock(device().lock);
  if (device().options.stack != options.stack) device().stacks.reset();
  device().opened.clear();
  device().options = options;
}
Counters counters() {
  const std::lock_guard lock(device().lock);
  device().counters.allocations = device().heap.count();
  return device().counters;
}

unsigned thread_index() {
  return current->index;
}
unsigned block_index() {
  return current->block->index;
}
unsigned block_size() {
  return launch->block;
}
unsigned grid_size() {
  return launch->grid;
}
int wave_width() {
  return device().options.wave;
}

void* shared(const void* site, std::size_t bytes, const char* name, std::size_t dynamic_end) {
  const Quiet quiet;
  EmulatorBlock& b = *current->block;
  const auto [it, fresh] = b.pieces.try_emplace(site, SharedPiece{b.used, bytes});
  if (!fresh && it->second.bytes != bytes) report("threads disagree about the size of shared memory", name);
  if (fresh) {
    if (dynamic_end > launch->dynamic_shared) report("more dynamic shared memory taken than launched with", name);
    if ((b.asked += bytes) > device().options.shared_limit) report("too much shared memory", name);
    b.shadow.declare(b.used, bytes);
    unpoison(b.arena.get() + b.used, bytes);
    b.used = (b.used + bytes + kRedZone + 15) / 16 * 16;
    if (b.used > b.capacity) report("too many variables of shared memory", name);
  }
  return b.arena.get() + it->second.offset;
}

void collective(Collective kind, Mask mask, int source, const void* in, void* out, std::size_t bytes, Here where) {
  const Quiet quiet;
  Lane& me = *current;
  if ((mask >> lane_of(me) & 1) == 0) report("a lane is not in its own mask", text(where));
  if (kind == Collective::shuffle && (mask >> source & 1) == 0)
    report("shuffle from a lane outside the mask", text(where));
  me.kind = kind, me.mask = mask, me.source = source, me.where = where, me.wait = Wait::wave;
  copy_few(me.in, in, bytes);
  Lane* const wave = &me - lane_of(me);
  const unsigned width = std::min(wave_lanes(), launch->block - (me.index - lane_of(me)));
  // each lane is looked at by the last one to come, not by all: that was a third of the time
  Mask& waiting = me.block->in_operation[me.index / wave_lanes()];
  waiting |= Mask{1} << lane_of(me);
  Mask here = 0;
  for (unsigned i = 0; i < width && (waiting & mask) == mask; i++)
    if ((waiting >> i & 1) != 0 && wave[i].kind == kind && wave[i].mask == mask && wave[i].where.line == where.line &&
        wave[i].where.file == where.file)
      here |= Mask{1} << i;
  if (here == mask) {
    waiting &= ~mask;
    complete(wave, width, mask, kind);
  }
  me.fiber.leave(false);
  copy_few(out, me.out, bytes);
}

void barrier(Here where) {
  const Quiet quiet;
  EmulatorBlock& b = *current->block;
  current->where = where, current->wait = Wait::barrier;
  bool together = ++b.at_barrier == b.lanes.size();
  for (std::size_t i = 0; together && i < b.lanes.size(); i++) together = b.lanes[i].where.line == where.line;
  if (together) {
    b.at_barrier = 0, b.epoch++, launch->idle = 0;
    for (Lane& l : b.lanes) wake(l);
  }
  current->fiber.leave(false);
}

void note_atomic(const void* address, std::size_t bytes, Here where) {
  const Quiet quiet;
  note(address, bytes, Access::atomic, where, true);
}

void note_relaxed(const void* address, std::size_t bytes, Here where) {
  const Quiet quiet;
  note(address, bytes, Access::atomic, where);
}

void count_swap() noexcept {
  device().counters.swaps++;
}

void note_acquire(const void* address, std::size_t bytes, Here where) {
  const Quiet quiet;
  note(address, bytes, Access::atomic, where);
  launch->idle++;
  give_way();
  if (const auto it = launch->released.find(address); it != launch->released.end()) {
    std::uint32_t& known = current->block->acquired[it->second.block];
    known = std::max(known, it->second.number);
  }
}

void note_release(const void* address, std::size_t bytes, Here where) {
  const Quiet quiet;
  note(address, bytes, Access::atomic, where);
  launch->idle = 0;
  launch->released[address] = {current->block->index, ++launch->releases};
}

void run(unsigned grid, unsigned block, std::size_t dynamic_shared, void (*body)(const void*), const void* call,
         std::size_t call_bytes) {
  Device& d = device();
  const std::lock_guard lock(d.lock);
  if (!d.stacks) d.stacks = std::make_unique<Stacks>(d.options.stack);
  d.counters.launches++;
  const auto* c = static_cast<const char*>(call);
  EmulatorLaunch mine{.number = ++d.launches,
                      .wave_bits = static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(d.options.wave))),
                      .grid = grid,
                      .block = block,
                      .dynamic_shared = dynamic_shared,
                      .body = body,
                      .call = c,
                      .call_end = c + call_bytes};
  launch = &mine;
  d.random = Shuffling(d.options.seed * 977 + mine.number);
  std::vector<unsigned> order(grid);
  for (unsigned i = 0; i < grid; i++) order[i] = i;
  std::shuffle(order.begin(), order.end(), d.random);
  schedule(order);
  launch = nullptr;
  if (!mine.fault.empty()) throw EmulatorFault(mine.fault);
}

int device_count() {
  const std::lock_guard lock(device().lock);
  return device().options.devices;
}
int chosen_device() {
  return chosen;
}
bool choose_device(int ordinal) {
  if (ordinal < 0 || ordinal >= device_count()) return false;
  chosen = ordinal;
  return true;
}

void* allocate(std::size_t bytes, int owner) {
  const std::lock_guard lock(device().lock);
  const std::size_t all = memory_of(device().options, owner);
  if (owner != kHostMemory && (bytes > all || device().heap.bytes(owner) > all - bytes)) return nullptr;
  return device().heap.allocate(bytes, owner, instrumented);
}
void release(void* address) {
  const std::lock_guard lock(device().lock);
  device().heap.release(address);
}
void mark_written(const void* address, std::size_t bytes) {
  const std::lock_guard lock(device().lock);
  if (instrumented) device().heap.mark_written(address, bytes);
}
std::size_t memory_free() {
  const std::lock_guard lock(device().lock);
  const std::size_t all = memory_of(device().options, chosen);
  return all - std::min(all, device().heap.bytes(chosen));
}
bool open_memory(int to, int from) {
  const std::lock_guard lock(device().lock);
  if (!device().options.peers) return false;
  device().opened.insert({to, from});
  return true;
}
bool copy_fails() {
  const std::lock_guard lock(device().lock);
  std::int64_t& left = device().options.copies_before_failure;
  return left >= 0 && left-- == 0;
}
int owner_of(const void* address) {
  const std::lock_guard lock(device().lock);
  std::size_t offset = 0;
  const Heap::Allocation* const a = device().heap.find(address, 1, offset);
  return a == nullptr ? kHostMemory : a->owner;
}

void note_plain(const void* address, std::size_t bytes, bool write, const void* code) noexcept {
  if (!watching || current->fiber.holds(address)) return;  // half of them are a thread's own variables
  const Quiet quiet;
  note(address, bytes, write ? Access::write : Access::read, code);
}
void hooks_exist() noexcept {
  instrumented = true;
}

}  // namespace rowan::device::inline ROWAN_BACKEND::emulator
