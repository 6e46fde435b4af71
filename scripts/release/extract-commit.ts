import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from '../stack/run-command.ts'

/**
 * Writes the files of a commit into a directory.
 * @param paths the paths to write; default: all files
 * @throws if this clone does not have the commit
 */
export async function extractCommit(commit: string, directory: string, paths: readonly string[] = []): Promise<void> {
  const archive = join(directory, 'commit.tar')
  const archiveRun = await runCommand('git', ['archive', '-o', archive, commit, '--', ...paths], { name: 'git' })
  if (archiveRun.exitCode !== 0) {
    throw new Error(
      `This clone has no files of commit ${commit} (${archiveRun.output.trim()}): fetch its history with git fetch --unshallow.`,
    )
  }
  const unpackRun = await runCommand('tar', ['-xf', archive, '-C', directory], { name: 'tar' })
  if (unpackRun.exitCode !== 0)
    throw new Error(`tar could not write the files of ${commit}: ${unpackRun.output.trim()}`)
  await rm(archive)
}
