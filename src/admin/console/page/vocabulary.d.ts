export { BASES, CODIGOS_TRIBUNAL, RAMOS, TIPOS, UFS } from '../../../contract/vocabulary.ts';
