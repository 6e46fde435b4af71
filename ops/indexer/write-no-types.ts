import { registerHooks } from 'node:module'

/** Ponder's module with `runCodegen`, without it. */
const noCodegen = `data:text/javascript,${encodeURIComponent('export function runCodegen() {}')}`

/**
 * Preloaded into Ponder: at every start it writes `ponder-env.d.ts` into its root, which an image and a unit have as
 * read-only. The file is in the repository, and only editors read it.
 */
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier.endsWith('/utils/codegen.js') && context.parentURL?.includes('/node_modules/ponder/')
      ? { url: noCodegen, shortCircuit: true }
      : nextResolve(specifier, context),
})
