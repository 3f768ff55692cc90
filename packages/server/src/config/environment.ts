import * as v from 'valibot'

/** A documented environment variable. */
export interface Variable {
  /** The name of the environment variable, such as `PORT`. */
  name: string
  /** The value that is parsed if the variable is not set. Empty if the variable has no default. */
  fallback: string
  /** A description of what the variable configures, without a period. */
  meaning: string
}

/** Environment variables, keyed by name. Each has a fallback, a schema and a description. */
export type VariableTable = Readonly<
  Record<string, { readonly fallback: string; readonly schema: v.GenericSchema; readonly meaning: string }>
>

/** The environment from which the configuration is read. */
export interface Environment {
  readonly values: Readonly<Record<string, string | undefined>>
  /** Reports a missing or invalid variable. The configuration then contains placeholders and must be discarded. */
  reject(sentence: string): void
}

type Value<Table extends VariableTable, Name extends keyof Table> = v.InferOutput<Table[Name]['schema']>

/** Reads the variables in a table. Invalid values are reported to the environment. */
export interface VariableReader<Table extends VariableTable> {
  /** Returns the parsed value, or the parsed fallback if the variable is not set. */
  read<Name extends keyof Table & string>(name: Name): Value<Table, Name>
  /** Returns the parsed value, or `undefined` if the variable is not set. */
  readIfSet<Name extends keyof Table & string>(name: Name): Value<Table, Name> | undefined
  /** Returns the parsed value. If the variable is not set, reports that it is required if `condition`, such as `PORT is set`. */
  readRequired<Name extends keyof Table & string>(name: Name, condition: string): Value<Table, Name>
}

/** Whether a variable is set. A blank value is treated as not set. */
export function isSet({ values }: Environment, name: string): boolean {
  return Boolean(values[name]?.trim())
}

/** Creates a reader for the variables in `table`. */
export function variableReader<Table extends VariableTable>(table: Table, env: Environment): VariableReader<Table> {
  function read<Name extends keyof Table & string>(name: Name): Value<Table, Name> {
    const { schema, fallback } = table[name] as Table[Name]
    const parsed = v.safeParse(schema, env.values[name]?.trim() || fallback)
    if (parsed.success) return parsed.output as Value<Table, Name>
    env.reject(`${name} must be ${parsed.issues[0].message}.`)
    const placeholder = v.safeParse(schema, fallback)
    return (placeholder.success ? placeholder.output : undefined) as Value<Table, Name>
  }
  return {
    read,
    readIfSet: (name) => (isSet(env, name) ? read(name) : undefined),
    readRequired(name, condition) {
      if (isSet(env, name)) return read(name)
      env.reject(`${name} must be set if ${condition}.`)
      return '' as Value<Table, typeof name>
    },
  }
}

/** Returns the documentation for a table's variables, in order. */
export function documented(table: VariableTable): readonly Variable[] {
  return Object.entries(table).map(([name, { fallback, meaning }]) => ({ name, fallback, meaning }))
}
