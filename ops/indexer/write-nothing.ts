import { registerHooks } from 'node:module'

/** Ponder's module with `runCodegen`, with an empty function in its place. */
const noCodegen = `data:text/javascript,${encodeURIComponent('export function runCodegen() {}')}`

/**
 * A module preloaded into Ponder that prevents the file `ponder-env.d.ts`. Ponder writes it into its root at every start, which
 * an image and a unit have as read-only. The file is in the repository, and only editors read it.
 */
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier.endsWith('/utils/codegen.js') && context.parentURL?.includes('/node_modules/ponder/')
      ? { url: noCodegen, shortCircuit: true }
      : nextResolve(specifier, context),
})
