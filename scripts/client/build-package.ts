/**
 * Builds the client package into `client/dist`. `npm pack` runs this file as `prepack`; the test of the package runs it too.
 *
 *   node scripts/client/build-package.ts
 *
 * An entry is one file of JavaScript and one of declarations; files that several entries share are in `dist/chunks`. The
 * command line has files of its own, in `dist/tool`: it needs the prose of operations, which no program loads. The code that the
 * client reaches in `protocol/` and `mcp/` is part of these files, and npm packages stay imports. The output keeps names and
 * comments, so a stack trace is readable as it is, and there are no source maps.
 */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { type InputOptions, type OutputOptions, rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { repositoryRoot } from '../../ops/process/paths.ts'

const source = join(repositoryRoot, 'client', 'src')
const output = join(repositoryRoot, 'client', 'dist')

/** Entries that programs import, by the name of their file: `exports` of the package. */
const importedEntries = {
  index: join(source, 'index.ts'),
  fetch: join(source, 'market-fetch.ts'),
  store: join(source, 'store', 'file-store.ts'),
  keystore: join(source, 'keystore', 'keystore.ts'),
  webhooks: join(source, 'webhooks', 'verify-webhook.ts'),
}

/** The entry of the command line: `bin` of the package. */
const executedEntries = { cli: join(source, 'cli', 'main.ts') }

const sharedOptions: InputOptions = { external: isPackage, platform: 'neutral', tsconfig: false }

const javaScript: InputOptions = { ...sharedOptions, transform: { target: 'node20' } }
await build({ ...javaScript, input: importedEntries }, { cleanDir: true, chunkFileNames: 'chunks/[name].js' })
await build({ ...javaScript, input: executedEntries }, { chunkFileNames: 'tool/[name].js' })
const declarations = dts({
  dtsOnly: true,
  tsconfig: join(repositoryRoot, 'tsconfig.json'),
  compilerOptions: { declaration: true, noEmit: false, allowJs: false },
})
await build(
  { ...sharedOptions, input: importedEntries, plugins: [declarations], checks: { pluginTimings: false } },
  { chunkFileNames: 'chunks/[name].ts' },
)

copyFileSync(join(repositoryRoot, 'LICENSE'), join(repositoryRoot, 'client', 'LICENSE'))

/** A module of an npm package or of Node. Example: `viem/accounts` is one, and `../context.ts` is not. */
function isPackage(name: string): boolean {
  return /^[^./]/.test(name)
}

async function build(input: InputOptions, options: OutputOptions): Promise<void> {
  const bundle = await rolldown(input)
  const { output: files } = await bundle.write({ ...options, dir: output, format: 'esm' })
  await bundle.close()
  for (const file of files) if (file.type === 'chunk') console.log(file.fileName, file.code.length)
}
