/**
 * By what seed and for how many runs to fuzz: the same in every run of the tests, others when asked for by the
 * environment's FUZZ_SEED and FUZZ_RUNS.
 */
export function fuzzSettings(usualRuns: number): { seed: number; runs: number } {
  return { seed: Number(process.env.FUZZ_SEED ?? 20_260), runs: Number(process.env.FUZZ_RUNS ?? usualRuns) }
}
