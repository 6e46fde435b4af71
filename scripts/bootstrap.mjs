// Runs scripts/<command>.ts under a Node that can, on a machine that may have only an old one and no dependencies:
// installs them when they are missing or stale, finds the Node that came with them, and stays in front of the command
// as the process that npm and the terminal know. Plain JavaScript without dependencies: it must run on Node 18.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { nodeOptionsOf } from './stack/node-options.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

// Each strips types without a flag from its minor version on; from 24 on all do.
const oldestMinor = { 22: 18, 23: 6 }

// Those of an operator run on what `npm ci --omit=dev` installs: nothing is to change under the programs that run.
const operatorCommands = 'api books doctor export graphql indexer relayer standby-keeper web'.split(' ')

const [command, ...commandArguments] = process.argv.slice(2)
const script = join(root, 'scripts', `${command}.ts`)
if (command === undefined || !existsSync(script)) {
  const commands = readdirSync(join(root, 'scripts')).filter((name) => name.endsWith('.ts'))
  fail(`usage: node scripts/bootstrap.mjs <${commands.map((name) => name.slice(0, -3)).join('|')}> [arguments]`)
}
if (process.env.npm_config_dry_run === 'true' && !commandArguments.includes('--dry-run')) {
  fail(
    `npm took --dry-run for itself, so ${command} would act; nothing was done. Write it behind --: npm run ${command} -- --dry-run`,
  )
}
if (['--help', '-h'].includes(commandArguments.find((argument) => argument !== '--deep'))) console.log(readHelp())
else {
  if (!isInstalled()) install()
  run(chooseNode())
}

// What a command says of itself is the comment at the head of its script.
function readHelp() {
  const [, comment] =
    /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(script, 'utf8')) ?? fail(`scripts/${command}.ts says nothing of itself`)
  return comment.replace(/^ *\*? ?/gm, '').trim()
}

// True when every package of the lock that the command needs stands in node_modules in the lock's version. npm leaves a lock
// of its own there, written when an install is complete; optional packages of other platforms are rightly absent.
function isInstalled() {
  const installedPackages = readPackages(join(root, 'node_modules', '.package-lock.json'))
  const lockedPackages = readPackages(join(root, 'package-lock.json'))
  if (lockedPackages === null) fail('package-lock.json is missing or unreadable')
  if (installedPackages === null) return false
  return Object.entries(lockedPackages).every(([path, entry]) => {
    if (path === '' || entry.link) return true
    const installedEntry = installedPackages[path]
    const isLeftOut = entry.dev === true && operatorCommands.includes(command)
    if (installedEntry === undefined)
      return isLeftOut || entry.optional === true || entry.devOptional === true || entry.peer === true
    return installedEntry.version === entry.version && installedEntry.integrity === entry.integrity
  })
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return null
  }
}

function install() {
  const startMs = performance.now()
  console.log('  0.0s  installing dependencies (npm ci) ...')
  // No package here needs an install script. The environment's own settings must not leave development tools out, nor
  // make npm refuse over the Node that is too old for what it installs: it installs the right one too.
  const options = ['--ignore-scripts', '--include=dev', '--include=optional', '--engine-strict=false']
  const npm = findNpm()
  const result = spawnSync(
    npm.command,
    [...npm.arguments, 'ci', ...options, '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, NODE_ENV: '' } },
  )
  if (result.error) fail(`npm could not be started: ${result.error.message}`)
  if (result.status !== 0) {
    fail(
      'npm ci failed (its reason stands above). Check the network and the registry that npm is set up with, then run the command again.',
    )
  }
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
  console.log(`${seconds.padStart(5)}s  dependencies installed`)
}

// The npm that runs us, with its own Node (ours may stand in the folder that npm is about to replace); else the
// machine's.
function findNpm() {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env
  if (cli?.endsWith('npm-cli.js') && node && existsSync(node)) return { command: node, arguments: [cli] }
  return { command: 'npm', arguments: [] }
}

function chooseNode() {
  if (isNewEnough(process.versions.node) && existsSync(process.execPath)) return process.execPath
  const names = [`node-${process.platform}-${process.arch}`, `node-bin-${process.platform}-${process.arch}`]
  const nodePath = names.map((name) => join(root, 'node_modules', name, 'bin', 'node')).find((path) => existsSync(path))
  if (nodePath !== undefined) return nodePath
  return fail(
    `Node ${process.versions.node} is too old and npm has none for ${process.platform}-${process.arch}: install Node 24 (or 22.18 and newer).`,
  )
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major >= 24 || minor >= (oldestMinor[major] ?? Number.POSITIVE_INFINITY)
}

function run(node) {
  // They ask for a password, so they have the terminal, which no other session can have.
  const asks = ['deploy', 'relayer'].includes(command)
  const child = spawn(node, [...nodeOptionsOf(command), script, ...commandArguments], {
    cwd: root,
    // The channel carries nothing: its end tells the command that we are gone, however we went.
    stdio: [asks ? 'inherit' : 'ignore', 'inherit', 'inherit', 'ipc'],
    // A group of its own: a terminal's Ctrl-C reaches us alone, and the command through us.
    detached: !asks,
    env: {
      // What Node compiles is kept for the next start, of its children too: half of what loading a command takes.
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'commands'),
      ...process.env,
      PATH: [dirname(node), join(root, 'node_modules', '.bin'), process.env.PATH].filter(Boolean).join(delimiter),
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forwardOnce(child, signal))
  watchParent(() => child.kill('SIGTERM'))
  child.on('error', (error) => fail(`${node} could not be started: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

// One Ctrl-C arrives twice under npm, from the terminal and from npm, and a command takes the second for impatience.
function forwardOnce(child, signal) {
  let forwardedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - forwardedAt < 1000) return
    forwardedAt = performance.now()
    child.kill(signal)
  }
}

// Under npm, npm is our parent. When it is killed outright no signal comes, but we get another parent.
function watchParent(whenGone) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    whenGone()
  }, 500)
  timer.unref()
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
