import { byDepth } from '../depth.ts'

/**
 * By what seed and for how many runs to fuzz: the same in every run of the tests, others when asked for by the
 * environment's FUZZ_SEED and FUZZ_RUNS.
 */
export function fuzzSettings({ usual, deep }: { usual: number; deep: number }): { seed: number; runs: number } {
  const { FUZZ_SEED = 20_260, FUZZ_RUNS = byDepth(usual, deep) } = process.env
  return { seed: Number(FUZZ_SEED), runs: Number(FUZZ_RUNS) }
}
