import { pathToFileURL } from 'node:url'

/**
 * Replaces the functions and classes of `vite`, `vite-node` and `vite-tsconfig-paths` with which Ponder loads a
 * project, and Ponder's GraphQL server. Each replacement has the name of the original. Ponder gets this module instead of the packages
 * (load-natively.ts).
 */

export const createServer = async () => ({
  config: {},
  pluginContainer: { buildStart: async () => {} },
  close: async () => {},
})

export class ViteNodeServer {}

export class ViteNodeRunner {
  /** Imports a file of the project. Example: `executeFile('/srv/market/ponder.config.ts')`. */
  executeFile(file: string): Promise<object> {
    return import(pathToFileURL(file).href)
  }

  /** Imports a module that Ponder provides under a name. Example: `executeId('ponder:registry')`. */
  executeId(id: string): Promise<object> {
    return import(id)
  }
}

export function installSourcemapsSupport(): void {}

/**
 * A stub that Ponder imports. Ponder would call the function only when it reloads an edited file, which never happens
 * in production.
 */
export const normalizeModuleId = (id: string): string => id
export const toFilePath = (id: string): string => id

export default function plugin(): void {}

/** Ponder exports this function for projects that serve its GraphQL. This project serves another (graphql/). */
export function graphql(): never {
  throw new Error('Ponder runs without its GraphQL server')
}
