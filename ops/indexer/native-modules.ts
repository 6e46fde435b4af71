import { pathToFileURL } from 'node:url'

/**
 * Parts of `vite`, `vite-node` and `vite-tsconfig-paths` that Ponder loads a project with, by their names there
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

  /** Imports a module of Ponder's own. Example: `executeId('ponder:registry')`. */
  executeId(id: string): Promise<object> {
    return import(id)
  }
}

export function installSourcemapsSupport(): void {}

/** A function for the reload of edited files, which is never called. */
export const normalizeModuleId = (id: string): string => id
export const toFilePath = (id: string): string => id

export default function plugin(): void {}
