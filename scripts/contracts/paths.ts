import { join } from 'node:path'

/** Root of the repository. */
export const repositoryRoot = join(import.meta.dirname, '..', '..')

/** The Foundry project. */
export const contractsRoot = join(repositoryRoot, 'contracts')

/** Where the generated ABIs live; committed, never edited. */
export const abisRoot = join(repositoryRoot, 'abis')
