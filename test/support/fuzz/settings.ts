import { byDepth } from '../depth.ts'

/**
 * Seed and number of runs of the fuzz: the same in every test run, others by the environment variables
 * FUZZ_SEED and FUZZ_RUNS.
 */
export function fuzzSettings({ usual, deep }: { usual: number; deep: number }): { seed: number; runs: number } {
  const { FUZZ_SEED = 20_260, FUZZ_RUNS = byDepth(usual, deep) } = process.env
  return { seed: Number(FUZZ_SEED), runs: Number(FUZZ_RUNS) }
}
