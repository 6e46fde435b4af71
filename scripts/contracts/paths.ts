import { join } from 'node:path'

/** Root of the repository. */
export const repositoryRoot = join(import.meta.dirname, '..', '..')

/** The Foundry project. */
export const contractsRoot = join(repositoryRoot, 'contracts')

/** Folders of the Foundry project with formatted Solidity. The last two compile only in a user's project. */
export const formattedFolders = ['src', 'test', 'examples', 'hooks', 'testing', 'hook-template']

/** Folder of the generated ABIs, which are committed and never edited. */
export const abisRoot = join(repositoryRoot, 'abis')
