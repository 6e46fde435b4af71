/**
 * Builds the client package into `client/dist`. `npm pack` runs this file as `prepack`. The test of the package also
 * runs this file.
 *
 *   node scripts/client/build-package.ts
 *
 * Each entry of the package becomes one JavaScript file and one file of declarations. Code that several entries share
 * is in `dist/chunks`. The command line has its own files in `dist/tool`, because it needs descriptions of the
 * operations, which no program loads. The output includes the code of `protocol/` and `mcp/` that the client uses. npm
 * packages stay imports. The output keeps names and comments, so stack traces are readable without source maps.
 */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { type InputOptions, type OutputOptions, rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { repositoryRoot } from '../../ops/process/paths.ts'

const source = join(repositoryRoot, 'client', 'src')
const output = join(repositoryRoot, 'client', 'dist')

/** The files that programs import, by the name of their output file. They are listed in `exports` of the package. */
const importedEntries = {
  index: join(source, 'index.ts'),
  fetch: join(source, 'market-fetch.ts'),
  store: join(source, 'store', 'file-store.ts'),
  keystore: join(source, 'keystore', 'keystore.ts'),
  webhooks: join(source, 'webhooks', 'verify-webhook.ts'),
}

/** The file of the command line. It is listed in `bin` of the package. */
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

/**
 * Returns true if an import names an npm package or a module of Node. Example: true for `viem/accounts`, false for
 * `../context.ts`.
 */
function isPackage(name: string): boolean {
  return /^[^./]/.test(name)
}

async function build(input: InputOptions, options: OutputOptions): Promise<void> {
  const bundle = await rolldown(input)
  const { output: files } = await bundle.write({ ...options, dir: output, format: 'esm' })
  await bundle.close()
  for (const file of files) if (file.type === 'chunk') console.log(file.fileName, file.code.length)
}
