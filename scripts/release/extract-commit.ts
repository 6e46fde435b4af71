import { spawnSync } from 'node:child_process'
import { repositoryRoot } from '../../ops/process/paths.ts'

/**
 * Writes the files of a commit into a directory.
 * @param paths those alone; default: all
 * @throws when this clone does not have the commit
 */
export function extractCommit(commit: string, directory: string, paths: readonly string[] = []): void {
  const { status, stdout, stderr } = spawnSync('git', ['archive', commit, '--', ...paths], {
    cwd: repositoryRoot,
    maxBuffer: 512 * 1024 ** 2,
  })
  if (status !== 0) {
    throw new Error(
      `This clone has no files of commit ${commit} (${String(stderr).trim()}): fetch its history with git fetch --unshallow.`,
    )
  }
  const { status: unpacked, stderr: reason } = spawnSync('tar', ['-x', '-C', directory], { input: stdout })
  if (unpacked !== 0) throw new Error(`tar could not write the files of ${commit}: ${String(reason).trim()}`)
}
