const resolveRelativeImports = [
  '--import',
  new URL('../../ops/process/resolve-relative-imports.ts', import.meta.url).href,
]

/**
 * What Node runs the service with: a half of the heap's young generation has 8 MB at most. Larger, it holds what large
 * bodies throw away for longer, and with it the blocks they came in: 100 MB more of a process that takes eight bodies
 * of 49 MB again and again (`npm run bench -- uploads`). Plain JavaScript: the bootstrap reads it, too.
 */
export const apiNodeOptions = ['--max-semi-space-size=8', ...resolveRelativeImports]

/** What Node runs GraphQL with: half of the CPU time of a start. */
export const graphqlNodeOptions = resolveRelativeImports

/** What Node runs `scripts/<command>.ts` with. Example: `nodeOptionsOf('api')`. */
export function nodeOptionsOf(command) {
  const ownOptions = { api: apiNodeOptions, graphql: graphqlNodeOptions }[command] ?? []
  return ['--disable-warning=ExperimentalWarning', ...ownOptions]
}
