import { Type } from 'typebox';
import { BASES, TIPOS, ORDENS, STATUS_EMENTA, RAMOS, CODIGOS_TRIBUNAL } from './vocabulary.ts';

export * from './vocabulary.ts';

export const BaseSchema = Type.Enum(BASES);
export const TipoSchema = Type.Enum(TIPOS);
export const OrdemSchema = Type.Enum(ORDENS);
export const StatusEmentaSchema = Type.Enum(STATUS_EMENTA);
export const RamoSchema = Type.Enum(RAMOS);
export const CodigoTribunalSchema = Type.Enum(CODIGOS_TRIBUNAL);
