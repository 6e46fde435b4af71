import { join } from 'node:path'

/** Root of the repository. */
export const repositoryRoot = join(import.meta.dirname, '..', '..')

/** The Foundry project. */
export const contractsRoot = join(repositoryRoot, 'contracts')

/** Folders of the Foundry project whose Solidity is formatted; the last two compile in a user's project alone. */
export const formattedFolders = ['src', 'test', 'examples', 'hooks', 'testing', 'hook-template']

/** Where the generated ABIs live; committed, never edited. */
export const abisRoot = join(repositoryRoot, 'abis')
