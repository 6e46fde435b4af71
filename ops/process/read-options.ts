import { type ParseArgsConfig, parseArgs } from 'node:util'

/**
 * Reads the options of this process's command, as `parseArgs` does.
 *
 *   const { values } = readOptions({ options: { reset: { type: 'boolean', default: false } } })
 *
 * @returns values and positionals; ends the process with 2 and a sentence when a word is not one of them
 */
export function readOptions<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config)
  } catch (error) {
    const [sentence] = (error as Error).message.split('. ')
    console.error(`${sentence}; --help says which options there are.`)
    return process.exit(2)
  }
}
