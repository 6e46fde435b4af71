import { registerHooks } from 'node:module'

/** Module that replaces `ponder:registry` and collects the handlers in the form that Ponder expects. */
const registry = `data:text/javascript,${encodeURIComponent(
  'export const ponder = { fns: [], on(name, fn) { this.fns.push({ name, fn }) } }',
)}`
const nativeModules = new URL('native-modules.ts', import.meta.url).href
const loader = /^vite(?:-node\/|-tsconfig-paths$|$)/

/**
 * Makes Node load the config, schema and handlers for Ponder. This module is preloaded into Ponder. Node runs
 * TypeScript, and caches the compiled code (`NODE_COMPILE_CACHE`).
 *
 * Without the module, Ponder loads Vite, transforms each file at every start, and writes a file into the project's
 * root. Ponder also does not load its GraphQL server, which is not served, and loads only Base's networks of the 700
 * that viem knows: half of Ponder's modules.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === 'ponder:registry') return { url: registry, shortCircuit: true }
    if (!context.parentURL?.includes('/node_modules/ponder/')) return nextResolve(specifier, context)
    if (loader.test(specifier) || specifier === './graphql/middleware.js')
      return { url: nativeModules, format: 'module-typescript', shortCircuit: true }
    if (specifier === 'viem/chains')
      return { url: chainsBeside(nextResolve(specifier, context).url), shortCircuit: true }
    return nextResolve(specifier, context)
  },
})

/** Returns a module that exports Base's networks. `url` is the module that exports all networks of viem. */
function chainsBeside(url: string): string {
  const exports = ['base', 'baseSepolia'].map(
    (name) => `export { ${name} } from ${JSON.stringify(new URL(`definitions/${name}.js`, url).href)}`,
  )
  return `data:text/javascript,${encodeURIComponent(exports.join(';'))}`
}
