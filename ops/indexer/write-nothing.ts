import { registerHooks } from 'node:module'

/** URL of a module that replaces Ponder's module `codegen.js`. Its function `runCodegen` does nothing. */
const noCodegen = `data:text/javascript,${encodeURIComponent('export function runCodegen() {}')}`

/**
 * A module preloaded into Ponder that prevents Ponder from writing `ponder-env.d.ts` into the project's root at every
 * start. The root is read-only in an image and in a systemd unit. Only editors read the file, which is part of the
 * repository.
 */
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier.endsWith('/utils/codegen.js') && context.parentURL?.includes('/node_modules/ponder/')
      ? { url: noCodegen, shortCircuit: true }
      : nextResolve(specifier, context),
})
