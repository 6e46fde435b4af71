import { join } from 'node:path'

/** The repository's root directory. */
export const repositoryRoot: string = join(import.meta.dirname, '..', '..')

/**
 * What the local stack keeps between runs; ignored by git, safe to delete while nothing runs. LOCAL_DIRECTORY (an
 * absolute path) puts it elsewhere: a second stack beside the first.
 */
export const localDirectory: string = process.env.LOCAL_DIRECTORY ?? join(repositoryRoot, '.local')
