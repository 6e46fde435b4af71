/**
 * What Node runs the service with: a half of the heap's young generation has 8 MB at most. Larger, it holds what large
 * bodies throw away for longer, and with it the blocks they came in: 100 MB more of a process that takes eight bodies
 * of 49 MB again and again (`npm run bench -- uploads`). Plain JavaScript: the bootstrap reads it, too.
 */
export const apiNodeOptions = ['--max-semi-space-size=8']

/**
 * What Node runs GraphQL with: half of the CPU time of a start, as `ops/process/resolve-by-directory.ts` says.
 */
export const graphqlNodeOptions = [
  '--import',
  new URL('../../ops/process/resolve-by-directory.ts', import.meta.url).href,
]
