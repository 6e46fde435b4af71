/** A part of the code whose mutants are run together, and the tests that must detect them. */
export interface Part {
  name: string
  /** Globs of source files, from the root of the repository. A glob that begins with `!` excludes files. */
  sources: string[]
  /**
   * The tests that must detect the mutants. `forge`: the suites of contracts/test, for Solidity. Otherwise: globs of
   * test files by vitest project, for TypeScript.
   */
  tests: 'forge' | Record<string, string[]>
  /**
   * Number of chunks into which the mutants are divided by a hash. A chunk is run as a whole, and its results are
   * stored.
   */
  chunks: number
  /** Number of chunks that are run. The mutants of the other chunks are not run. */
  sample: number
  /**
   * Minimum share of the mutants that tests must detect, per cent. Mutants that behave like the original code are not
   * counted.
   */
  bar?: number
}

export interface ChunkRun {
  part: Part
  chunk: number
  /** Folder for the files of the run. */
  folder: string
  /** Fingerprint of the sources and of all files that may test them. */
  fingerprint: string
}

/** Sources that decide the amounts of payments, and the times of payments. */
const money = [
  'protocol/{clock-price,prices,payouts,derive,claim-round,phase,submission-window,net-reward}.ts',
  'protocol/rules/{amounts,bonus,lowest-bid,settlement-leaves,selection,verdict}.ts',
  'protocol/operations/verdict-awards.ts',
  'api/domain/{refund-owed,bonus-estimate,stake,submission-allowance}.ts',
  'api/domain/{sponsored,wallet}/**/*.ts',
]
const unit = { unit: ['test/unit/**/*.test.ts'] }
const withRows = (...folders: string[]) => ({ ...unit, api: folders.map((name) => `test/api/${name}/**/*.test.ts`) })
const exceptMoney = money.map((glob) => `!${glob}`)

/** All parts, in the order in which they are run. */
export const parts: Part[] = [
  { name: 'money', sources: money, tests: unit, chunks: 4, sample: 4, bar: 90 },
  {
    name: 'payments',
    sources: ['api/payments/**/*.ts'],
    tests: withRows('writes', 'loops', 'wallet'),
    chunks: 20,
    sample: 1,
    bar: 90,
  },
  {
    name: 'market',
    sources: ['contracts/src/{TaskMarket.sol,{market,types,libraries}/*.sol}'],
    tests: 'forge',
    chunks: 10,
    sample: 1,
    bar: 95,
  },
  {
    name: 'forwarder',
    sources: ['contracts/src/{PaymentForwarder,IdentityRegistrar}.sol', 'contracts/src/forwarder/*.sol'],
    tests: 'forge',
    chunks: 8,
    sample: 1,
    bar: 95,
  },
  {
    name: 'bonus',
    sources: ['contracts/src/BonusHook.sol', 'contracts/src/bonus/*.sol'],
    tests: 'forge',
    chunks: 8,
    sample: 1,
    bar: 95,
  },
  {
    name: 'sponsored',
    sources: ['contracts/src/SponsoredTasksHook.sol', 'contracts/src/sponsored/*.sol'],
    tests: 'forge',
    chunks: 10,
    sample: 1,
    bar: 95,
  },
  { name: 'domain', sources: ['api/domain/**/*.ts', ...exceptMoney], tests: unit, chunks: 4, sample: 1 },
  {
    name: 'protocol',
    sources: ['protocol/**/*.ts', '!protocol/abi.ts', ...exceptMoney],
    tests: unit,
    chunks: 4,
    sample: 1,
  },
  {
    name: 'writes',
    sources: ['api/writes/**/*.ts'],
    tests: withRows('writes', 'legal', 'rules', 'server', 'discovery'),
    chunks: 24,
    sample: 5,
  },
  {
    name: 'relayer',
    sources: ['api/relayer/**/*.ts'],
    tests: withRows('relayer', 'loops', 'writes'),
    chunks: 24,
    sample: 4,
  },
]
