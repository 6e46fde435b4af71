/** A field on the page: it reads its own value. */
export interface Control {
  element: HTMLElement
  /** Undefined: left empty. @throws FieldProblem */
  read(): unknown
}

/** A value that cannot be used; its message is for a person. */
export class FieldProblem extends Error {
  override name = 'FieldProblem'
}
