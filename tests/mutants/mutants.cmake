# Mistakes put into copies of the real kernels: what the emulator must find. See mutate.cmake for how it is done.
#   mutant(NAME FILE CONTEXT EXPRESSION INSTEAD REPORT FORCE)
# CONTEXT stands once in FILE and EXPRESSION once in CONTEXT. REPORT is how the emulator's message begins; FORCE is the
# accumulator that runs the kernel, a policy that asks for it, or "".

# --- out of bounds, shared memory
mutant(table_cleared_too_far accumulators/hash/device/fill.hpp
       [[k < table; k += scope.size()) keys[k] = kNoKey]] [[k < table]] [[k <= table]]
       "shared memory: out of bounds" hash)
mutant(one_bin_too_many lib/binning/device/bins.cpp
       [=[k < BlockTally::kWords; k += kTallyThreads) words[k] = 0]=] [[k < BlockTally::kWords]] [[k <= BlockTally::kWords]]
       "shared memory: out of bounds" "")
mutant(one_word_too_many accumulators/dense/device/rank.cpp
       [[w < words; w += kLanes) bits[w] = 0;
  for]] [[w < words]] [[w <= most_words]]
       "shared memory: out of bounds" dense-rank)
mutant(one_value_too_many accumulators/dense/device/rank.cpp
       [=[k < entries; k += kLanes) val[to + k]]=] [[k < entries]] [[k <= entries]]
       "shared memory: out of bounds" dense-rank)

# --- out of bounds, global memory
mutant(looks_before_the_row features/device/measure.cpp
       [=[in && k + u * step > 0 ? at[u * step - 1]]=] [[k + u * step > 0]] [[k + u * step >= 0]]
       "global memory: out of bounds" "")
mutant(one_entry_of_a_too_many accumulators/common/device/walk.hpp
       [[k = base + lanes.rank(); k < end]] [[k < end]] [[k <= end]]
       "global memory: out of bounds" hash)
mutant(an_entry_too_many_for_sort accumulators/common/device/gather.hpp
       [=[return k < end ? a_col[k]]=] [[k < end]] [[k <= end]]
       "global memory: out of bounds" sort)
mutant(a_row_of_b_too_many_to_merge accumulators/sort/device/merge.cpp
       [[if (base + t >= end) continue;]] [[base + t >= end]] [[base + t > end]]
       "global memory: out of bounds" sort-merge)
mutant(row_without_end accumulators/direct/device/direct.cpp
       [[e < n; e += size]] [[e < n]] [[e <= n]]
       "global memory: out of bounds" "")

# --- shared memory never written
mutant(sums_not_cleared accumulators/hash/device/fill.hpp
       [[kNoKey, sums[k] = T{0};]] [[sums[k] = T{0}]] [[T{0}]]
       "shared memory: read of what was never written" hash)
mutant(last_word_not_cleared accumulators/dense/device/rank.cpp
       [[w < words; w += kLanes) bits[w] = 0;
  lanes.sync]] [[w < words]] [[w < words - 1]]
       "shared memory: read of what was never written" dense-rank)
mutant(first_wave_alone_writes lib/device/simt/scope.hpp
       [[if (simt::lane() == 0) scratch_[wave()] = static_cast<std::int64_t>(of_wave)]] [[simt::lane() == 0]] [[threadIdx.x == 0]]
       "shared memory: read of what was never written" dense-rank)
mutant(counter_not_cleared lib/device/simt/row_groups.hpp
       [[if (threadIdx.x == 0) late_rows[0] = 0;]] [[late_rows[0] = 0]] [[0]]
       "shared memory: read of what was never written" "")
mutant(ranks_used_before_they_are_there accumulators/dense/device/rank.cpp
       [[    block.sync();
    write_bitmap]] [[block.sync()]] [[(void)0]]
       "shared memory: read of what was never written" dense-rank)
mutant(one_product_too_many accumulators/sort/device/sort.cpp
       [=[    key[t] = p < n ? keys[p]]=] [[p < n]] [[p <= n]]
       "shared memory: read of what was never written" sort)

mutant(rows_of_a_team_without_values accumulators/dense/device/run.cpp
       [[for (int r = scope.rank() / kTeamLanes; r < rows;]] [[r < rows]] [[r < 1]]
       "shared memory: read of what was never written" dense-run)

mutant(words_kept_over_one_another accumulators/dense/device/run_symbolic.cpp
       [[keep.words[from + k] = w;]] [[from + k]] [[from]]
       "global memory: r" dense-run)

mutant(keys_that_are_not_filled_up accumulators/direct/device/shift.cpp
       [=[s < keys_n; s += block.size()) keys[s] = ~0U]=] [[s < keys_n]] [[s + 1 < keys_n]]
       "shared memory: read of what was never written" direct-shift)

mutant(run_goes_on_beyond_the_last_row lib/binning/device/bundles.hpp
       [=[end < limit && relation[end]]=] [[end < limit]] [[end <= limit]]
       "global memory: read of what was never written" dense-run)

# --- a barrier that not all reach
mutant(threads_without_a_row_skip_the_barrier lib/binning/device/block_lists.hpp
       [[  __syncthreads();
  if (t < kPlaces && count]] [[__syncthreads()]] [[place[0] != kNowhere ? __syncthreads() : (void)0]]
       "barrier not reached by all" "")
mutant(groups_without_a_row_skip_the_barrier lib/device/simt/row_groups.hpp
       [[if (!simt::any_of_block(is_long)) return;]] [[!simt::any_of_block(is_long)]]
       [[row >= rows || !simt::any_of_block(is_long)]]
       "barrier not reached by all" "")

# --- shuffles and ballots in divergent flow
mutant(groups_end_alone accumulators/common/device/walk.hpp
       [[e < entries; e += groups]] [[e < entries]] [[e + mine < entries]]
       "wave operation in divergent flow" hash)
mutant(lanes_with_nothing_are_not_summed accumulators/hash/device/symbolic.cpp
       [[found = scope.sum(found);]] [[scope.sum(found)]] [[found == 0 ? 0 : scope.sum(found)]]
       "wave operation in divergent flow" hash)
mutant(empty_words_are_not_summed accumulators/dense/device/rank.cpp
       [[found += block.sum(mine);]] [[block.sum(mine)]] [[mine == 0 ? 0 : block.sum(mine)]]
       "wave operation in divergent flow" dense-rank)
mutant(groups_gather_alone accumulators/common/device/gather.hpp
       [[simt::ballot(wave, first < all) != 0]] [[simt::ballot(wave, first < all) != 0]] [[first < all]]
       "wave operation in divergent flow" sort)
mutant(carry_ends_alone accumulators/sort/device/row.hpp
       [[if (simt::ballot(wave, !known) == 0) return left;]] [[simt::ballot(wave, !known) == 0]] [[known]]
       "wave operation in divergent flow" sort)

mutant(lanes_without_the_least_add_nothing accumulators/sort/device/merge.cpp
       [[while (simt::ballot(wave, turns != 0) != 0)]] [[simt::ballot(wave, turns != 0) != 0]] [[turns != 0]]
       "wave operation in divergent flow" sort-merge)

# --- races on shared memory between barriers
mutant(table_used_while_cleared accumulators/hash/device/symbolic.cpp
       [[  lanes.sync();
  Counting]] [[lanes.sync()]] [[(void)0]]
       "shared memory: race" hash)
mutant(sort_without_barriers accumulators/hash/device/sorts.hpp
       [[      scope.sync();]] [[scope.sync()]] [[(void)0]]
       "shared memory: race" hash)
mutant(words_over_words_that_others_read accumulators/hash/device/sorts.hpp
       [[  lanes.sync();
  return lanes.exclusive_sum]] [[lanes.sync()]] [[(void)0]]
       "shared memory: race" deltasparse)
mutant(packed_over_what_others_read accumulators/hash/device/numeric.cpp
       [[  scope.sync();
  ROWAN_UNROLL]] [[scope.sync()]] [[(void)0]]
       "shared memory: race" hash)
mutant(counted_before_all_is_marked accumulators/dense/device/rank.cpp
       [[  lanes.sync();
  int found]] [[lanes.sync()]] [[(void)0]]
       "shared memory: race" dense-rank)
mutant(read_before_all_is_gathered accumulators/sort/device/row.hpp
       [=[columns[p] = column; });
  simt::sync_wave(wave)]=] [[simt::sync_wave(wave)]] [[(void)0]]
       "shared memory: race" sort)
mutant(entries_over_what_others_read accumulators/sort/device/sort.cpp
       [[simt::sync_wave(wave);  // all have read keys and products]] [[simt::sync_wave(wave)]] [[(void)0]]
       "shared memory: race" sort)
mutant(entries_copied_before_all_are_there accumulators/sort/device/merge.cpp
       [[simt::sync_wave(wave);
    ROWAN_ROLLED]] [[simt::sync_wave(wave)]] [[(void)0]]
       "shared memory: race" sort-merge)
mutant(registers_emptied_before_the_table_is accumulators/hash/device/registers.cpp
       [[simt::sync_wave(wave);
  int found]] [[simt::sync_wave(wave)]] [[(void)0]]
       "shared memory: race" hash-registers)
mutant(sorted_before_all_is_gathered accumulators/sort/device/one_phase_tile.cpp
       [=[values[own.from + p] = made.product;
      });
  simt::sync_wave(wave)]=] [[simt::sync_wave(wave)]] [[(void)0]]
       "shared memory: race" "")
mutant(places_read_before_they_are_known accumulators/sort/device/one_phase_tile.cpp
       [[  __syncthreads();
  const std::int64_t place]] [[__syncthreads()]] [[(void)0]]
       "shared memory: r" "")
mutant(batch_read_before_it_is_there accumulators/dense/device/run.cpp
       [[    scope.sync();
    const int groups = *room.count]] [[scope.sync()]] [[(void)0]]
       "shared memory: r" dense-run)
mutant(groups_of_b_added_at_once accumulators/dense/device/run.cpp
       [[      scope.sync();
    }
  }]] [[scope.sync()]] [[(void)0]]
       "shared memory: race" dense-run)
mutant(sums_over_columns_that_others_read accumulators/dense/device/run.cpp
       [[    scope.sync();
    for (int k = scope.rank(); k < (rows * team.entries + 1) / 2;]]
       [[scope.sync()]] [[(void)0]] "shared memory: race" dense-run)
mutant(values_added_before_they_are_there accumulators/direct/device/shift.cpp
       [[    simt::copies_done();
    block.sync()]] [[block.sync()]] [[(void)0]] "shared memory: r" direct-shift)
mutant(sums_written_before_they_are_added accumulators/direct/device/shift.cpp
       [[    block.sync();
    // the next values]] [[block.sync()]] [[(void)0]] "shared memory: r" direct-shift)
