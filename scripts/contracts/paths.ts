import { join } from 'node:path'

/** Root of the repository. */
export const repositoryRoot = join(import.meta.dirname, '..', '..')

/** Folder of the Foundry project. */
export const contractsRoot = join(repositoryRoot, 'contracts')

/**
 * Folders of the Foundry project whose Solidity files must be formatted. The files in the last two folders compile only
 * in a user's own project.
 */
export const formattedFolders = ['src', 'test', 'examples', 'hooks', 'testing', 'hook-template']

/** Folder of the generated ABIs, which are committed and never edited. */
export const abisRoot = join(repositoryRoot, 'abis')
