import { join } from 'node:path'

/** The repository's root directory. */
export const repositoryRoot: string = join(import.meta.dirname, '..', '..')

/**
 * Directory of the local stack's data between runs. Git ignores it, and it may be deleted while nothing runs. LOCAL_DIRECTORY (an
 * absolute path) moves it, for a second stack beside the first.
 */
export const localDirectory: string = process.env.LOCAL_DIRECTORY ?? join(repositoryRoot, '.local')
