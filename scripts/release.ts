/**
 * `npm run release`: publishes each package whose version its registry does not have, and tags what is released. The person who
 * runs it is signed in to npm, has `build` and `twine` of Python, and may push to `origin`; in a workflow of GitHub the packages get a provenance statement.
 *
 *   npm run release                 checks, packs, publishes, tags and pushes the tags
 *   npm run release -- --dry-run    checks nothing and publishes nothing: packs, and says what would be done
 *   npm run release -- client       one package, or several
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { localDirectory, repositoryRoot } from '../ops/process/paths.ts'
import { type Release, readRelease, releasedPackages } from './release/released-packages.ts'
import { type CommandRun, runCommand, runNode } from './stack/run-command.ts'

const { values, positionals } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false } },
  allowPositionals: true,
})
const isDry = values['dry-run']
const parts = releasedPackages.map(({ part }) => part)
const unknown = positionals.filter((part) => !parts.includes(part))
if (unknown.length > 0) fail(`There is no package ${unknown.join(', ')}: name some of ${parts.join(', ')}.`)

const releases = releasedPackages
  .filter(({ part }) => positionals.length === 0 || positionals.includes(part))
  .map(readRelease)
for (const { folder, version, notes } of releases) {
  if (notes === null) fail(`${join(folder, 'CHANGELOG.md')} has no section "## ${version}" with a text.`)
}
if (!isDry) await requireReady()
for (const release of releases) await publish(release)

/** Refuses what could not be found again by its tag, and what fails its checks. */
async function requireReady(): Promise<void> {
  const { output } = await run('git', ['status', '--porcelain'])
  if (output.trim() !== '') fail(`Commit or remove these first:\n${output}`)
  const { exitCode } = await runNode('scripts/check.ts', [], { name: 'check', echo: true })
  if (exitCode !== 0) fail('The checks failed; nothing was published.')
}

async function publish(release: Release): Promise<void> {
  const { tag, registry } = release
  if (registry === 'npm') await publishToNpm(release)
  if (registry === 'pypi') await publishToPypi(release)
  const isTagged = (await run('git', ['tag', '--list', tag])).output.trim() === tag
  if (isTagged) return say(`${tag}: tagged before`)
  await act(`${tag}: tag`, 'git', ['tag', tag])
  await act(`${tag}: push the tag`, 'git', ['push', 'origin', tag])
}

async function publishToNpm({ name, version, tag, folder }: Release): Promise<void> {
  const isPublished = await isInRegistry(`${name}@${version}`)
  if (isPublished === true) return say(`${tag}: published before`)
  if (isPublished === null && !isDry) fail(`npm cannot tell whether ${name}@${version} is published.`)
  if (isPublished === null) say(`${tag}: npm does not reach its registry, so it may be published`)
  const tarballs = join(localDirectory, 'release')
  mkdirSync(tarballs, { recursive: true })
  await must('npm', ['pack', join(repositoryRoot, folder), '--silent', '--pack-destination', tarballs])
  // The provenance statement is signed with the identity of the workflow.
  const provenance = process.env.GITHUB_ACTIONS === 'true' ? ['--provenance'] : []
  const tarball = join(tarballs, `${name}-${version}.tgz`)
  await act(`${tag}: publish`, 'npm', ['publish', tarball, '--access', 'public', ...provenance])
}

/** PyPI takes a file once: `twine` passes over those that it has. */
async function publishToPypi({ name, version, tag, folder }: Release): Promise<void> {
  const files = join(localDirectory, 'release', `${name}-${version}-python`)
  await act(`${tag}: build`, 'python3', ['-m', 'build', '--outdir', files, folder])
  await act(`${tag}: publish`, 'sh', ['-c', `python3 -m twine upload --skip-existing '${files}'/*`])
}

/** Whether npm has a version; null: its registry cannot be asked. */
async function isInRegistry(spec: string): Promise<boolean | null> {
  const { exitCode, output } = await run('npm', ['view', spec, 'version', '--fetch-retries=0'])
  if (exitCode === 0) return output.trim() !== ''
  return /\bE404\b/.test(output) ? false : null
}

/** Does a step, or says what it would be. */
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
