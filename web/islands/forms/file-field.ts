import { fill, h } from '../dom.ts'
import { MOST_BYTES, MOST_FILES } from '../files/upload.ts'
import { type Control, FieldProblem } from './control.ts'
import type { Field } from './fields.ts'

const units = ['B', 'kB', 'MB', 'GB'] as const

/** Formats a size for people. Example: `fileSize(2400)` is `2.4 kB`. */
export function fileSize(bytes: number): string {
  const at = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const value = bytes / 1000 ** at
  return `${at === 0 ? value : value.toFixed(1)} ${units[at]}`
}

/**
 * Renders a field for files. A person chooses files with a button or drops them onto the field. The upload starts when
 * the person continues.
 */
export function renderFiles({ label, hint }: Extract<Field, { kind: 'files' }>): Control {
  let files: File[] = []
  const list = h('ul', { class: 'files' })
  const input = h('input', { type: 'file', multiple: true, 'aria-label': label })
  const show = () => {
    fill(
      list,
      files.map((file) =>
        h(
          'li',
          {},
          h('span', {}, file.name),
          h('small', {}, fileSize(file.size)),
          h(
            'button',
            {
              type: 'button',
              class: 'copy',
              'aria-label': `Remove ${file.name}`,
              onclick: () => {
                files = files.filter((one) => one !== file)
                show()
              },
            },
            'remove',
          ),
        ),
      ),
    )
  }
  const add = (addedFiles: Iterable<File>) => {
    files = [...files, ...addedFiles]
    show()
  }
  input.addEventListener('change', () => {
    add(input.files ?? [])
    input.value = ''
  })
  const element = h(
    'div',
    { class: 'drop' },
    h('label', {}, h('span', {}, label, ' ', h('small', { class: 'soft' }, hint ?? '')), input),
    h('small', { class: 'soft' }, 'Or drop them here.'),
    list,
  )
  element.addEventListener('dragover', (event) => {
    event.preventDefault()
    element.classList.add('over')
  })
  element.addEventListener('dragleave', () => element.classList.remove('over'))
  element.addEventListener('drop', (event) => {
    event.preventDefault()
    element.classList.remove('over')
    add(event.dataTransfer?.files ?? [])
  })
  const read = (): File[] | undefined => {
    if (files.length > MOST_FILES) throw new FieldProblem(`At most ${MOST_FILES} files.`)
    const wrongFile = files.find(({ size }) => size > MOST_BYTES || size === 0)
    if (wrongFile !== undefined)
      throw new FieldProblem(`${wrongFile.name} is ${wrongFile.size === 0 ? 'empty' : 'above 500 MB'}.`)
    return files.length === 0 ? undefined : files
  }
  return { element, read }
}
