import { type Detail, type DetailPage, detailNames, details } from '../../protocol/details.ts'

/** The folder in which the pages of the errors appear. The pages are created in memory and have no files. */
const FOLDER = ['docs', 'errors'].join('/')

/**
 * Returns the Markdown of the index of all errors, and of one page for each error. Example of a file name:
 * `wrong_state.md` in the folder `errors`.
 */
export function errorFiles(): { file: string; text: string }[] {
  const pages = detailNames.map((name) => ({ file: `${FOLDER}/${name}.md`, text: detailText(name) }))
  return [{ file: `${FOLDER}/README.md`, text: indexText() }, ...pages]
}

function indexText(): string {
  const rows = detailNames.map((name) => `- [${name}](${name}.md): ${details[name].meaning}`)
  return `# Errors

Each refusal names its condition in \`service.detail\` of the body, and the page of it in \`service.docs\`.

${rows.join('\n')}
`
}

function detailText(name: Detail): string {
  const { meaning, remedy, charge = 'Nothing was charged.' }: DetailPage = details[name]
  return `# ${name}

${meaning}

## What to do

${remedy}

## Cost

${charge}
`
}
