import { registerHooks } from 'node:module'

/** URLs of directories whose `.js` files are ES modules. */
const moduleDirectories = new Set<string>()

/**
 * Shortens the resolution of imports. This module is preloaded into the service, Ponder and GraphQL. The module saves
 * between a seventh and a half of the CPU time of a start.
 *
 * For every imported module, Node resolves symbolic links, and passes the whole package.json of the imported package to
 * JavaScript (175 kB for drizzle-orm). This module skips both steps if the result is known. The result is known for a
 * relative import of a `.ts` file. The result is also known for a relative import of a `.js` file in a package, if Node
 * has already resolved an ES module of the same directory.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL, conditions } = context
    if (!specifier.startsWith('.') || parentURL === undefined) return nextResolve(specifier, context)
    if (specifier.endsWith('.ts')) {
      return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true }
    }
    const isPackageFile = specifier.endsWith('.js') && parentURL.includes('/node_modules/')
    if (!isPackageFile || !conditions.includes('import')) return nextResolve(specifier, context)
    const { href } = new URL(specifier, parentURL)
    const directory = href.slice(0, href.lastIndexOf('/'))
    if (moduleDirectories.has(directory)) return { url: href, format: 'module', shortCircuit: true }
    const resolution = nextResolve(specifier, context)
    if (resolution.format === 'module' && resolution.url === href) moduleDirectories.add(directory)
    return resolution
  },
})
