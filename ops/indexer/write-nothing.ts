import promises from 'node:fs/promises'
import { registerHooks } from 'node:module'

/** Ponder's module with `runCodegen`, without it. */
const noCodegen = `data:text/javascript,${encodeURIComponent('export function runCodegen() {}')}`
/** The copy of `vite.config.mjs` that Vite imports. */
const copyOfConfig = /(vite\.config\.mjs)\.timestamp-[\w-]+\.mjs/

/**
 * Preloaded into Ponder: at every start it writes `ponder-env.d.ts` and, through Vite, a copy of `vite.config.mjs` into its root,
 * which an image and a unit have as read-only. The first is in the repository, and only editors read it; the second is read
 * from the file itself.
 */
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier.endsWith('/utils/codegen.js') && context.parentURL?.includes('/node_modules/ponder/')
      ? { url: noCodegen, shortCircuit: true }
      : nextResolve(specifier.replace(copyOfConfig, '$1'), context),
})

const { writeFile } = promises
promises.writeFile = (async (...parameters: Parameters<typeof writeFile>) => {
  if (!copyOfConfig.test(String(parameters[0]))) await writeFile(...parameters)
}) as typeof writeFile
