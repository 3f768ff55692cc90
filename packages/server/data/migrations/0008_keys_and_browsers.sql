CREATE TABLE "vault_browsers" (
	"browser" text NOT NULL,
	"user_id" text NOT NULL,
	"signed_in_at" bigint NOT NULL,
	CONSTRAINT "vault_browsers_browser_user_id_pk" PRIMARY KEY("browser","user_id")
);
--> statement-breakpoint
ALTER TABLE "server_keys" ADD COLUMN "purpose" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "server_keys" ADD COLUMN "signs_from" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
UPDATE "server_keys" SET "purpose" = "name", "signs_from" = "created_at";--> statement-breakpoint
ALTER TABLE "vault_browsers" ADD CONSTRAINT "vault_browsers_user_id_vault_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."vault_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "vault_browsers_user" ON "vault_browsers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "vault_browsers_signed_in" ON "vault_browsers" USING btree ("signed_in_at");--> statement-breakpoint
CREATE INDEX "server_keys_purpose" ON "server_keys" USING btree ("purpose");