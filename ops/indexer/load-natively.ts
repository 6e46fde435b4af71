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
 * root.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === 'ponder:registry') return { url: registry, shortCircuit: true }
    return loader.test(specifier) && context.parentURL?.includes('/node_modules/ponder/')
      ? { url: nativeModules, format: 'module-typescript', shortCircuit: true }
      : nextResolve(specifier, context)
  },
})
