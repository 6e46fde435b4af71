/**
 * `npm run release`: publishes each package whose version its registry does not have, and sets a git tag for each
 * released version. The person who runs it must be signed in to npm, must have Python's `build` and `twine`, and must
 * have the right to push to `origin`. In a workflow of GitHub, the packages get a provenance statement.
 *
 *   npm run release                 checks, packs, publishes, tags and pushes the tags
 *   npm run release -- --dry-run    checks nothing and publishes nothing: packs, and says what would be done
 *   npm run release -- client       one package, or several
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { localDirectory, repositoryRoot } from '../ops/process/paths.ts'
import { findProblem, type ReleasePlace, repositoryLine } from './release/find-problem.ts'
import { readRecordedRelease } from './release/recorded-release.ts'
import { type Release, readRelease, releasedPackages } from './release/released-packages.ts'
import { type CommandRun, runCommand, runNode } from './stack/run-command.ts'

const { isDry, parts } = readArguments()
const releases = releasedPackages.filter(({ part }) => parts.length === 0 || parts.includes(part)).map(readRelease)
const provenance = workflowRepository()
const places = new Map<Release, ReleasePlace>()
for (const release of releases) {
  const place = await readPlace(release)
  const problem = findProblem(release, place)
  if (problem !== null) fail(problem)
  places.set(release, place)
}
await requireReady()
for (const [release, place] of places) await publish(release, place)

function readArguments(): { isDry: boolean; parts: string[] } {
  const knownParts = releasedPackages.map(({ part }) => part)
  try {
    const { values, positionals } = parseArgs({
      options: { 'dry-run': { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const unknownParts = positionals.filter((part) => !knownParts.includes(part))
    if (unknownParts.length > 0)
      fail(`There is no package ${unknownParts.join(', ')}: name some of ${knownParts.join(', ')}.`)
    return { isDry: values['dry-run'], parts: positionals }
  } catch (error) {
    return fail(`${(error as Error).message}\nOptions: --dry-run. Packages: ${knownParts.join(', ')}.`)
  }
}

/**
 * Returns the URL of the repository whose GitHub workflow runs this script; null if a person runs it. The workflow
 * signs a statement about the origin of the packages.
 */
function workflowRepository(): string | null {
  const { GITHUB_ACTIONS, GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env
  return GITHUB_ACTIONS === 'true' ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}` : null
}

async function readPlace({ part, name, version, tag, registry }: Release): Promise<ReleasePlace> {
  const commitOf = async (name: string) => {
    const { exitCode, output } = await run('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`])
    return exitCode === 0 ? output.trim() : null
  }
  const { output } = await run('git', ['tag', '--list', `${part}@*`, '--sort=-version:refname'])
  const [before] = output.split('\n').filter((each) => each !== '' && each !== tag)
  return {
    isPublished: registry === 'npm' ? await isInRegistry(`${name}@${version}`) : null,
    commit: (await commitOf('HEAD')) ?? '',
    taggedCommit: await commitOf(`refs/tags/${tag}`),
    before: before === undefined ? null : { tag: before, commit: (await commitOf(`refs/tags/${before}`)) ?? '' },
    recordedCommit: readRecordedRelease().commit,
    provenance,
  }
}

/**
 * Refuses to release if there are uncommitted changes, because the tag would not contain them. Also refuses if `npm run
 * check` fails.
 */
async function requireReady(): Promise<void> {
  const { output } = await run('git', ['status', '--porcelain'])
  const uncommittedNote = output.trim() === '' ? null : `Commit or remove these first:\n${output}`
  if (isDry) return uncommittedNote === null ? undefined : say(uncommittedNote)
  if (uncommittedNote !== null) fail(uncommittedNote)
  const { exitCode } = await runNode('scripts/check.ts', [], { name: 'check', echo: true })
  if (exitCode !== 0) fail('The checks failed; nothing was published.')
}

async function publish(release: Release, place: ReleasePlace): Promise<void> {
  const { tag, registry } = release
  if (registry === 'npm') await publishToNpm(release, place)
  if (registry === 'pypi') await publishToPypi(release)
  if (place.taggedCommit === null) await act(`${tag}: tag`, 'git', ['tag', tag])
  else say(`${tag}: tagged before`)
  // The push of an earlier run may have failed; of a tag that is there it changes nothing.
  await act(`${tag}: push the tag`, 'git', ['push', 'origin', `refs/tags/${tag}`])
}

async function publishToNpm(release: Release, { isPublished }: ReleasePlace): Promise<void> {
  const { name, version, tag, folder, repository } = release
  if (isPublished === true) return say(`${tag}: published before`)
  if (isPublished === null && !isDry) fail(`npm cannot tell whether ${name}@${version} is published.`)
  if (isPublished === null) say(`${tag}: npm does not reach its registry, so it may be published`)
  if (repository === null) {
    const line = repositoryLine(release, 'https://HOST/OWNER/NAME')
    say(`${tag}: without provenance; the workflow needs ${line} in ${join(folder, 'package.json')}`)
  }
  const tarballs = join(localDirectory, 'release')
  mkdirSync(tarballs, { recursive: true })
  await must('npm', ['pack', join(repositoryRoot, folder), '--silent', '--pack-destination', tarballs])
  // The provenance statement is signed with the identity of the workflow.
  const provenanceFlags = provenance === null ? [] : ['--provenance']
  const tarball = join(tarballs, `${name}-${version}.tgz`)
  await act(`${tag}: publish`, 'npm', ['publish', tarball, '--access', 'public', ...provenanceFlags])
}

/** Publishes a package to PyPI. PyPI accepts each file only once, so `twine` skips files that PyPI already has. */
async function publishToPypi({ name, version, tag, folder }: Release): Promise<void> {
  const files = join(localDirectory, 'release', `${name}-${version}-python`)
  await act(`${tag}: build`, 'python3', ['-m', 'build', '--outdir', files, folder])
  await act(`${tag}: publish`, 'sh', ['-c', `python3 -m twine upload --skip-existing '${files}'/*`])
}

/** Returns true if npm's registry has a version; null if the registry does not answer. */
async function isInRegistry(spec: string): Promise<boolean | null> {
  const { exitCode, output } = await run('npm', ['view', spec, 'version', '--fetch-retries=0'])
  if (exitCode === 0) return output.trim() !== ''
  return /\bE404\b/.test(output) ? false : null
}

/** Runs a command. In a dry run, only prints the command. */
async function act(what: string, command: string, args: string[]): Promise<void> {
  if (isDry) return say(`${what} (would run: ${[command, ...args].join(' ')})`)
  say(what)
  await must(command, args)
}

async function must(command: string, args: string[]): Promise<void> {
  const { exitCode, output } = await run(command, args)
  if (exitCode !== 0) fail(`${command} ${args.join(' ')} failed:\n${output}`)
}

function run(command: string, args: string[]): Promise<CommandRun> {
  return runCommand(command, args, { name: command })
}

function say(line: string): void {
  console.log(line)
}

function fail(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
